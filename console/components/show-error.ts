import Message from '@arco-design/web-react/es/Message'
import type { TFunction } from 'i18next'
import { failureText, isSignedOut } from '../api/failure.ts'

/** Shows the reason of a failure in a toast, optionally within a sentence. The login page reports an ended session itself. */
export function showError(t: TFunction, error: unknown, sentence = (reason: string) => reason): void {
  if (!isSignedOut(error)) Message.error(sentence(failureText(t, error)))
}
