import { readStored, writeStored } from '../../storage.ts'

/** Returns the inviter's code, which is stored until an account exists, also during an external sign-in. */
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
