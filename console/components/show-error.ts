import Message from '@arco-design/web-react/es/Message'
import type { TFunction } from 'i18next'
import { failureText, isSignedOut } from '../api/failure.ts'

/**
 * Shows the reason of a failure in a toast. `sentence` can add text to the reason. Shows nothing if the session has
 * ended, because the login page reports this.
 */
export function showError(t: TFunction, error: unknown, sentence = (reason: string) => reason): void {
  if (!isSignedOut(error)) Message.error(sentence(failureText(t, error)))
}

/** Shows a text about a form's input in a toast. Throws, so that the form's window remains open. */
export function rejectInput(text: string, kind: 'error' | 'warning' | 'info' = 'error'): never {
  Message[kind](text)
  throw new Error(text)
}
