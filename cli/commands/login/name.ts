import { usageError } from '../../errors.ts'
import { LOCAL } from '../../profiles.ts'
import type { Texts } from '../../texts.ts'

/** Validates a profile name. Throws a usage error. */
export function nameFor(text: string, { say }: Pick<Texts, 'say'>): string {
  if (text === LOCAL) throw usageError(say`${LOCAL} is the database on this machine: give another --name`)
  if (!/^[a-z\d][\w.-]{0,63}$/i.test(text)) {
    throw usageError(say`--name takes up to 64 letters, digits, dots and dashes, not '${text}'`)
  }
  return text
}
