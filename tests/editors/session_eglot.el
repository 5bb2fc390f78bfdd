;;; session_eglot.el --- A session of a user in Emacs with eglot  -*- lexical-binding: t -*-
;; Open FILE, look at what is marked, ask for the card, take a quick fix, and save, which fixes the rest.

(require 'session (expand-file-name "session.el" (file-name-directory load-file-name)))

(defun session-run ()
  (session-note 'version (format "Emacs %s, eglot from %s" emacs-version (locate-library "eglot")))
  (setq-default eglot-send-changes-idle-time 0 flymake-no-changes-timeout 0.05)
  (setq eglot-sync-connect session-limit eglot-confirm-server-initiated-edits nil
        eglot-confirm-server-edits nil)
  (find-file (getenv "FILE"))
  ;; Without a user no command ends; this is where eglot connects.
  (run-hooks 'post-command-hook)
  (session-wait "the server" (eglot-managed-p))
  (flymake-start)
  (let ((first (session-wait "diagnostics" (flymake-diagnostics))))
    (session-note 'marks (session-marks))

    (session-go-to "cat([")
    (let (card)
      (eglot-hover-eldoc-function (lambda (text &rest _) (setq card text)))
      (session-note 'hover (substring-no-properties (session-wait "the card" card))))

    (session-go-to "std(x)")
    (let (titles (before (session-text)))
      (cl-letf (((symbol-function 'completing-read)
                 (lambda (_prompt choices &rest _)
                   (setq titles (all-completions "" choices))
                   (cl-find-if (lambda (title) (string-match-p "ops\\.std" title)) titles))))
        (let ((last-nonmenu-event ?.)) ; not from a mouse
          (eglot-code-actions (point) nil nil t)))
      (session-wait "the quick fix" (not (equal before (session-text))))
      (session-note 'titles (vconcat titles)))
    (session-note 'fixed (session-text))
    (session-wait "the fixed mark to go"
                  (progn (eglot--signal-textDocument/didChange) ; else by a timer of an idle user
                         (flymake-start)
                         (< (length (flymake-diagnostics)) (length first))))
    (session-note 'marks_after_fix (session-marks)))

  (save-buffer)
  (session-note 'saved (session-text))
  (let ((server (eglot-current-server)))
    (eglot-shutdown server nil session-limit)
    (session-wait "the end of the server" (not (jsonrpc-running-p server)))))

(session-end #'session-run)
