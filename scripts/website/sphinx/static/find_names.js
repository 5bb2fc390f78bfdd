// Lists the pages of the torch names that fit what is searched for, the nearest first: `F.relu`, `nn.Conv2d`, `cat`.
(() => {
  const place = document.getElementById("names-found");
  const asked = (new URLSearchParams(location.search).get("q") || "").trim();
  const short = { "nn.": "torch.nn.", "F.": "torch.nn.functional.", "Tensor.": "torch.Tensor.", "optim.": "torch.optim." };
  const start = Object.keys(short).find((word) => asked.startsWith(word));
  const words = (start ? short[start] + asked.slice(start.length) : asked).toLowerCase();
  if (!words || !/^[\w.]+$/.test(words)) return;
  const rank = (name) => {
    const low = name.toLowerCase();
    if (low === words) return 0;
    if (low.endsWith("." + words)) return 1;
    const last = low.slice(low.lastIndexOf(".") + 1);
    if (last.startsWith(words)) return 2;
    if (last.includes(words)) return 3;
    return low.includes(words) ? 4 : -1;
  };
  const found = NAMES.map(([name, page]) => [rank(name), name.length, name, page])
    .filter(([order]) => order >= 0)
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .slice(0, 40);
  if (!found.length) return;
  const heading = document.createElement("h2");
  heading.textContent = place.dataset.heading;
  const list = document.createElement("ul");
  for (const [, , name, page] of found) {
    const link = document.createElement("a");
    link.href = `names/${page}.html`;
    link.textContent = name;
    const item = document.createElement("li");
    item.append(link);
    if (name !== page) item.append(` → ${page}`);
    list.append(item);
  }
  place.append(heading, list);
})();
