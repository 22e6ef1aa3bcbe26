import { readStored, writeStored } from '../../storage.ts'

/** The code of whoever has invited this visitor. It waits here through a sign-in elsewhere, until there is an account. */
export function inviteCode(): string | undefined {
  return readStored('aff', isText)
}

export function keepInviteCode(code: string): void {
  writeStored('aff', code)
}

export function forgetInviteCode(): void {
  writeStored('aff', undefined)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
