import type { SessionUser } from '../session.ts'
import type { ApiCallOptions, Query, RequestBody } from './calls.ts'
import { call, callForMessage, callForRedirect } from './client.ts'

/** Providers whose sign-in page redirects back with a code. */
export type CodeProviderName = 'github' | 'linuxdo' | 'oidc'
export const CODE_PROVIDERS: readonly CodeProviderName[] = ['github', 'linuxdo', 'oidc']

/** The token of the bot check, for calls that require one. */
interface BotChecked {
  turnstile: string | undefined
}

/** Creates an account and signs the user in. With password sign-in disabled, only creates the account. */
export const postRegistration = async ({
  turnstile,
  ...body
}: ApiCallOptions<'POST /api/user/register'>['body'] & BotChecked): Promise<SessionUser | undefined> =>
  call('POST /api/user/register', { query: { turnstile, answer: 'session' }, body })

export const postLogin = ({ turnstile, ...body }: RequestBody<'POST /api/user/login'> & BotChecked) =>
  call('POST /api/user/login', { query: { turnstile }, body })

/** Mails a code that proves that the user owns the address. */
export const sendEmailCode = (query: { email: string } & BotChecked) => call('GET /api/verification', { query })

/** Mails a link with which the user sets a new password. */
export const sendResetLink = (query: { email: string } & BotChecked) => call('GET /api/reset_password', { query })

/** Sets a new password and returns it. */
export const resetPassword = (body: RequestBody<'POST /api/user/reset'>) => call('POST /api/user/reset', { body })

/** Returns the `state` that the provider must send back. The `state` proves that the sign-in began in this browser. */
export const startSignIn = (query: Query<'GET /api/oauth/state'>) => call('GET /api/oauth/state', { query })

/** Returns the complete URL of the OIDC provider's sign-in page. */
export const startOidc = (query: Query<'GET /api/oauth/oidc/start'>) => call('GET /api/oauth/oidc/start', { query })

/** Sends the provider's callback parameters to the server. The message `bind` means that an account was bound. */
export const finishSignIn = (provider: CodeProviderName, query: Record<string, string>) =>
  callForMessage(`GET /api/oauth/${provider}`, { query })

export const loginByWeChat = (code: string) => call('GET /api/oauth/wechat', { query: { code } })

export const bindWeChat = (code: string) => call('GET /api/oauth/wechat/bind', { query: { code } })

/** Signs in with the unchanged parameters of Telegram's widget, which Telegram has signed. */
export const loginByTelegram = (query: Record<string, string>) => call('GET /api/oauth/telegram/login', { query })

export const bindTelegram = (query: Record<string, string>) =>
  callForRedirect('GET /api/oauth/telegram/bind', { query })
