;;; session_lsp_mode.el --- A session of a user in Emacs with lsp-mode  -*- lexical-binding: t -*-
;; Open FILE, look at what is marked, ask for the card, take a quick fix, and save, which fixes the rest.

(require 'session (expand-file-name "session.el" (file-name-directory load-file-name)))

(defun session-run ()
  (session-note 'version (format "Emacs %s, lsp-mode from %s" emacs-version (locate-library "lsp-mode")))
  (setq-default flymake-no-changes-timeout 0.05)
  (setq lsp-auto-guess-root t ; else it asks for the project
        lsp-enabled-clients '(mindport) ; whatever else this machine has
        lsp-response-timeout session-limit)
  (find-file (getenv "FILE"))
  (session-wait "the server" (and (lsp-workspaces) (lsp-feature? "textDocument/hover")))
  (flymake-start)
  (let ((first (session-wait "diagnostics" (flymake-diagnostics))))
    (session-note 'marks (session-marks))

    (session-go-to "cat([")
    (lsp-describe-thing-at-point)
    (session-note 'hover (with-current-buffer (session-wait "the card" (get-buffer "*lsp-help*"))
                           (session-text)))

    (session-go-to "std(x)")
    (let (titles (before (session-text)))
      (cl-letf (((symbol-function 'completing-read)
                 (lambda (_prompt choices &rest _)
                   (setq titles (all-completions "" choices))
                   (cl-find-if (lambda (title) (string-match-p "ops\\.std" title)) titles))))
        (call-interactively #'lsp-execute-code-action))
      (session-wait "the quick fix" (not (equal before (session-text))))
      (session-note 'titles (vconcat titles)))
    (session-note 'fixed (session-text))
    (session-wait "the fixed mark to go"
                  (progn (flymake-start) (= (length (flymake-diagnostics)) (1- (length first)))))
    (session-note 'marks_after_fix (session-marks)))

  (save-buffer)
  (session-note 'saved (session-text))
  (let ((workspace (car (lsp-workspaces))))
    (lsp-workspace-shutdown workspace)
    (session-wait "the end of the server" (not (process-live-p (lsp--workspace-proc workspace))))))

(session-end #'session-run)
