;;; session.el --- What sessions of a user in Emacs have in common  -*- lexical-binding: t -*-
;; A session works with the configuration that was loaded before, on FILE, and writes what was seen to RESULT as JSON.
;; It waits for conditions only.

(require 'cl-lib)
(require 'flymake)
(require 'json)

(defconst session-limit 60 "Seconds; only a session that hangs gets there.")
(defvar session-seen nil "What was seen, newest first.")

(defun session-note (name value)
  (push (cons name value) session-seen))

(defmacro session-wait (what condition)
  "Wait until CONDITION holds; its value."
  `(let ((end (+ (float-time) session-limit)) value)
     (while (not (setq value ,condition))
       (when (> (float-time) end) (error "Waited in vain for %s" ,what))
       (accept-process-output nil 0.02))
     value))

(defun session-text ()
  (buffer-substring-no-properties (point-min) (point-max)))

(defun session-marks ()
  "The marked places with the text under the mark, which shows whether columns were counted alike."
  (vconcat
   (mapcar (lambda (one)
             (let ((start (flymake-diagnostic-beg one)) (end (flymake-diagnostic-end one)))
               `((line . ,(1- (line-number-at-pos start)))
                 (text . ,(buffer-substring-no-properties start end))
                 (message . ,(flymake-diagnostic-text one)))))
           (flymake-diagnostics))))

(defun session-go-to (text)
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun session-end (run)
  "Call RUN, which is the session; write what was seen, and leave."
  (condition-case problem
      (progn (funcall run) (session-note 'done t))
    (error (session-note 'problem (error-message-string problem))))
  (let ((coding-system-for-write 'utf-8-unix))
    (with-temp-file (getenv "RESULT") (insert (json-encode session-seen))))
  (kill-emacs 0))

(provide 'session)
