import { readStored, writeStored } from '../../storage.ts'

/** Returns the stored invite code, if any. It remains stored until the user has an account. */
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
