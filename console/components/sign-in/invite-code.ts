import { readStoredText, writeStored } from '../../storage.ts'

/** Returns the stored invite code, if any. The code remains stored until the user has an account. */
export const inviteCode = (): string | undefined => readStoredText('aff')

export const keepInviteCode = (code: string): void => writeStored('aff', code)

export const forgetInviteCode = (): void => writeStored('aff', undefined)
