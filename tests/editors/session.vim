" A session of a user in Vim with ALE, in the file that Vim was started with: look at what is marked, ask for the card, take the first fix, save.
" Works with the configuration that Vim was started with; writes what was seen to RESULT as JSON. The menu of the fixes
" is answered by who reads the screen. Waits for conditions only.

let s:seen = {'version': v:versionlong}

function! s:Wait(what, condition) abort
  let l:start = reltime()
  while !a:condition()
    if reltimefloat(reltime(l:start)) > 60
      throw 'waited in vain for ' . a:what
    endif
    sleep 10m
  endwhile
endfunction

function! s:Mark(_, one) abort
  let l:line = getline(a:one.lnum)
  return {'line': a:one.lnum - 1, 'text': strpart(l:line, a:one.col - 1, get(a:one, 'end_col', 0) - a:one.col + 1),
        \ 'message': a:one.text}
endfunction

function! s:Session() abort
  let l:buffer = bufnr('')
  call s:Wait('the marks', {-> len(ale#engine#GetLoclist(l:buffer)) > 1})
  let s:seen.marks = map(copy(ale#engine#GetLoclist(l:buffer)), function('s:Mark'))

  call search('std(x)')
  let g:ale_hover_to_preview = 1
  ALEHover
  call s:Wait('the card', {-> winnr('$') > 1})
  for l:window in range(1, winnr('$'))
    if winbufnr(l:window) != l:buffer
      let s:seen.hover = getbufline(winbufnr(l:window), 1, '$')
    endif
  endfor
  pclose

  call search('std(x)', 'c')
  let l:before = b:changedtick
  ALECodeAction
  call s:Wait('the fix', {-> getbufvar(l:buffer, 'changedtick') != l:before})
  silent write
  let s:seen.done = v:true
endfunction

try
  call s:Session()
catch
  let s:seen.problem = v:exception . ' at ' . v:throwpoint
endtry
call writefile([json_encode(s:seen)], $RESULT)
qall!
