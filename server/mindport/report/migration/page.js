"use strict";
// Search, filters, sorting, and links into an editor. Without scripts the page shows everything. What is chosen stands in the
// address behind the `#`, so that it can be sent on: `#silent?q=dropout&fix=safe`.
(() => {
  const form = document.getElementById("tools");
  const rows = [...document.querySelectorAll("main tbody tr")];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const found = form.elements.found;
  const fields = ["q", "severity", "fix", "editor", "folder"];
  let sorted = "";

  const placeLink = (text) => {
    const match = /^(.+):(\d+)$/.exec(text);
    const folder = form.elements.folder.value.trim().replace(/\\/g, "/").replace(/\/+$/, "");
    if (!match || !folder || / cell \d+$/.test(match[1])) return "";
    const path = `${folder}/${match[1]}`.split("/").map(encodeURIComponent).join("/").replace(/^([A-Za-z])%3A/, "/$1:");
    if (form.elements.editor.value === "vscode") return `vscode://file${path}:${match[2]}`;
    if (form.elements.editor.value === "idea") return `idea://open?file=${path}&line=${match[2]}`;
    return "";
  };

  const link = () => {
    for (const place of document.querySelectorAll(".at")) {
      const text = place.textContent.replace(/ \(\d+\)$/, "");
      const href = placeLink(text);
      const inner = place.querySelector("a");
      if (!href) {
        if (inner) place.textContent = place.textContent;
        continue;
      }
      const anchor = inner ?? document.createElement("a");
      if (!inner) {
        anchor.textContent = place.textContent;
        place.replaceChildren(anchor);
      }
      anchor.href = href;
    }
  };

  const filter = () => {
    const words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    const [severity, fix] = [form.elements.severity.value, form.elements.fix.value];
    let shown = 0;
    for (const row of rows) {
      const isWork = row.dataset.severity !== undefined;
      const fits =
        words.every((word) => texts.get(row).includes(word)) &&
        (!severity || !isWork || row.dataset.severity === severity) &&
        (!fix || !isWork || row.dataset.fix === fix);
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    const isFiltered = words.length > 0 || severity || fix;
    for (const one of document.querySelectorAll("main section > details")) {
      if (!isFiltered) continue;
      if (one.querySelector("tbody tr:not([hidden])")) one.open = true;
    }
    const words_ = shown === 1 ? found.dataset.one : found.dataset.many;
    found.value = isFiltered ? words_.replace("{count}", shown) : "";
  };

  const sort = (table, column, isDown) => {
    const body = table.tBodies[0];
    const value = (row) => row.cells[column].textContent.trim();
    const isNumber = [...body.rows].every((row) => /^\d/.test(value(row)));
    const order = (a, b) => (isNumber ? parseFloat(value(a)) - parseFloat(value(b)) : value(a).localeCompare(value(b)));
    body.append(...[...body.rows].sort((a, b) => (isDown ? order(b, a) : order(a, b))));
    for (const [index, cell] of [...table.tHead.rows[0].cells].entries()) {
      if (index === column) cell.setAttribute("aria-sort", isDown ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    }
  };

  const tables = [...document.querySelectorAll("table.sortable")];
  const sortAs = (text) => {
    const match = /^(\d+)\.(\d+)(d?)$/.exec(text);
    const table = match && tables[Number(match[1])];
    if (table && Number(match[2]) < table.tHead.rows[0].cells.length) {
      sorted = text;
      sort(table, Number(match[2]), match[3] === "d");
    }
  };
  for (const [number, table] of tables.entries()) {
    for (const [column, cell] of [...table.tHead.rows[0].cells].entries()) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = cell.textContent;
      cell.replaceChildren(button);
      button.addEventListener("click", () => {
        const isNumber = cell.classList.contains("number");
        const before = cell.getAttribute("aria-sort");
        const isDown = before ? before === "ascending" : isNumber;
        sortAs(`${number}.${column}${isDown ? "d" : ""}`);
        write();
      });
    }
  }

  const section = () => decodeURIComponent(location.hash.slice(1).split("?")[0]);
  const write = () => {
    const chosen = new URLSearchParams();
    for (const name of fields) if (form.elements[name].value) chosen.set(name, form.elements[name].value);
    if (sorted) chosen.set("sort", sorted);
    const rest = chosen.toString();
    const hash = rest ? `#${encodeURIComponent(section())}?${rest}` : `#${encodeURIComponent(section())}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
  };
  const read = () => {
    const chosen = new URLSearchParams(location.hash.split("?")[1] ?? "");
    const own = document.body.dataset;
    for (const name of fields) form.elements[name].value = chosen.get(name) ?? own[name] ?? "";
    sortAs(chosen.get("sort") ?? "");
    filter();
    link();
    if (location.hash.includes("?")) document.getElementById(section())?.scrollIntoView();
  };

  form.addEventListener("input", (event) => {
    if (event.target.name === "editor" || event.target.name === "folder") link();
    else filter();
    write();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { sorted = ""; write(); read(); }));
  for (const one of document.querySelectorAll("nav a")) {
    one.addEventListener("click", (event) => {
      event.preventDefault();  // what is chosen stays in the address
      const rest = location.hash.split("?")[1];
      location.hash = one.getAttribute("href") + (rest ? `?${rest}` : "");
      const target = document.getElementById(section());
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
      target.scrollIntoView();
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      event.preventDefault();
      form.elements.q.focus();
    }
  });
  window.addEventListener("hashchange", read);
  window.addEventListener("beforeprint", () => {
    for (const one of document.querySelectorAll("details")) one.open = true;
  });
  form.hidden = false;
  read();
})();
