import { errorCode, errorMessage } from '../error-parts.ts'
import type { Language } from './language.ts'
import type { Reason, ReasonName } from './reasons.ts'
import { textIn } from './texts.ts'

/** The reasons for errors that users can fix by another path or other rights. */
const REASONS: Readonly<Record<string, ReasonName>> = {
  ENOENT: 'fileMissing',
  EACCES: 'fileForbidden',
  EPERM: 'fileForbidden',
  EISDIR: 'isFolder',
  ENOTDIR: 'noFolder',
}

/** Returns the reason of an error of the file system, without the path, or the message of another error. */
export function fileErrorText(error: unknown, language: Language): string {
  const code = errorCode(error)
  const name = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
  return name === undefined ? errorMessage(error) : textIn(language, `reason.${name}`)
}

/** Returns the text of `fileErrorText` as parameters of an error. */
export function fileReason(error: unknown): Reason {
  return { reason: fileErrorText(error, 'en'), reason_zh: fileErrorText(error, 'zh') }
}
