import type { TFunction } from 'i18next'
import { ApiError } from './client.ts'

/** Returns whether a call failed because the session has ended. The login page reports this, so callers need not. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.kind === 'signed-out'

/** Returns the text for a failed call in the current language. */
export function failureText(t: TFunction, error: unknown): string {
  if (!(error instanceof ApiError)) return t('failure.unknown')
  // The server has the messages of these codes only in English.
  switch (error.code) {
    case 'OAUTH_STATE':
      return t('failure.oauthState')
    case 'EMAIL_DOMAIN':
      return t('failure.emailDomain')
  }
  switch (error.kind) {
    case 'refused':
      return error.message || t('failure.unknown')
    case 'signed-out':
      return error.message || t('failure.signedOut')
    case 'no-server':
      return t('failure.noServer')
    case 'too-many':
      return t('failure.tooMany')
    case 'server':
      return t('failure.server')
    case 'status':
      return t('failure.status', { message: error.message })
    case 'unreadable':
      return t('failure.unreadable')
    case 'unreachable':
      return t('failure.unreachable')
    case 'slow':
      return t('failure.slow')
  }
}
