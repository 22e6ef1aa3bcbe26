import Message from '@arco-design/web-react/es/Message'
import type { TFunction } from 'i18next'
import { failureText, isSignedOut } from '../api/failure.ts'

/** Says in a toast why something failed, as it is or within a sentence. That the session has ended the login page says. */
export function tellFailure(t: TFunction, error: unknown, sentence = (reason: string) => reason): void {
  if (!isSignedOut(error)) Message.error(sentence(failureText(t, error)))
}
