-- A session of a user in Neovim, 0.7 or newer: open a file, look at what is marked, hover, take a quick fix, and save,
-- which fixes the rest. Works with the configuration that Neovim was started with, on FILE; writes what was seen to
-- RESULT as JSON. Waits for conditions only.

local seen = { version = vim.fn.execute('version'):match('NVIM v([%d.]+)'), messages = {} }
local limit = 60000 -- milliseconds; only a session that hangs gets there

local function finish()
  local file = assert(io.open(vim.env.RESULT, 'w'))
  file:write(vim.fn.json_encode(seen))
  file:close()
  vim.cmd('qa!')
end

local function wait(what, condition)
  if not vim.wait(limit, condition, 5) then
    error('waited in vain for ' .. what)
  end
end

local function lines(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

-- The marked places with the text under the mark, which shows whether columns were counted alike.
local function marks(buffer)
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(buffer)) do
    local line = vim.api.nvim_buf_get_lines(buffer, one.lnum, one.lnum + 1, false)[1]
    table.insert(found, { line = one.lnum, text = line:sub(one.col + 1, one.end_col), message = one.message })
  end
  return found
end

-- Put the cursor on the first letter of a text that occurs once.
local function put_cursor_on(buffer, text)
  for number, line in ipairs(lines(buffer)) do
    local column = line:find(text, 1, true)
    if column then
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      return
    end
  end
  error('no line has ' .. text)
end

local function float()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return window
    end
  end
end

-- The menu of code actions is answered by the part of a title that is wanted.
local wanted = '\0'
seen.titles = {}
vim.ui.select = function(items, _, choose)
  for index, item in ipairs(items) do
    local action = item.action or item[2]
    table.insert(seen.titles, action.title)
    if action.title:find(wanted, 1, true) then
      wanted = '\0'
      choose(item, index)
    end
  end
end

local function clients()
  return (vim.lsp.get_clients or vim.lsp.get_active_clients)()
end

local function session()
  vim.o.hidden = true
  vim.lsp.handlers['window/showMessage'] = function(_, result)
    table.insert(seen.messages, result.message)
  end
  vim.cmd('filetype on')
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.FILE))
  local buffer = vim.api.nvim_get_current_buf()
  wait('diagnostics', function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  seen.encoding = clients()[1].offset_encoding
  seen.marks = marks(buffer)

  put_cursor_on(buffer, 'cat([')
  vim.lsp.buf.hover()
  wait('the hover card', function()
    return float() ~= nil
  end)
  seen.hover = lines(vim.api.nvim_win_get_buf(float()))
  vim.api.nvim_win_close(float(), true)

  put_cursor_on(buffer, 'std(x)')
  local before = vim.api.nvim_buf_get_changedtick(buffer)
  wanted = 'ops.std'
  vim.lsp.buf.code_action()
  wait('the quick fix', function()
    return vim.api.nvim_buf_get_changedtick(buffer) ~= before
  end)
  seen.fixed = lines(buffer)
  wait('the fixed mark to go', function()
    return #vim.diagnostic.get(buffer) < #seen.marks
  end)
  seen.marks_after_fix = marks(buffer)

  vim.cmd('silent write')
  seen.saved = lines(buffer)

  for _, client in ipairs(clients()) do
    vim.lsp.stop_client(client.id)
  end
  wait('the end of the server', function()
    return #clients() == 0
  end)
  seen.done = true
end

local good, problem = xpcall(session, debug.traceback)
if not good then
  seen.problem = problem
end
finish()
