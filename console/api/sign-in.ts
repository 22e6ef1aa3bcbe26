import type { SessionUser } from '../session.ts'
import type { Body, Options, Query } from './calls.ts'
import { call, callForMessage, callForRedirect } from './client.ts'

/** Providers with their own sign-in page, which redirects back with a code. */
export type CodeProvider = 'github' | 'linuxdo' | 'oidc'
export const CODE_PROVIDERS: readonly CodeProvider[] = ['github', 'linuxdo', 'oidc']

/** The bot check's token, for calls that require it. */
interface Checked {
  turnstile: string | undefined
}

/** Creates an account and signs it in. Undefined: created, but password sign-in is disabled. */
export const register = async ({
  turnstile,
  ...body
}: Options<'POST /api/user/register'>['body'] & Checked): Promise<SessionUser | undefined> =>
  call('POST /api/user/register', { query: { turnstile, answer: 'session' }, body })

export const login = ({ turnstile, ...body }: Body<'POST /api/user/login'> & Checked) =>
  call('POST /api/user/login', { query: { turnstile }, body })

/** Emails a code that proves the address. */
export const sendEmailCode = (query: { email: string } & Checked) => call('GET /api/verification', { query })

/** Emails a link that sets a new password. */
export const sendResetLink = (query: { email: string } & Checked) => call('GET /api/reset_password', { query })

/** Returns the new password. */
export const resetPassword = (body: Body<'POST /api/user/reset'>) => call('POST /api/user/reset', { body })

/** Returns the state that a provider must send back, as proof that the sign-in began in this browser. */
export const startSignIn = (query: Query<'GET /api/oauth/state'>) => call('GET /api/oauth/state', { query })

/** Returns the complete URL of the provider's page. */
export const startOidc = (query: Query<'GET /api/oauth/oidc/start'>) => call('GET /api/oauth/oidc/start', { query })

/** Sends the provider's callback parameters to the server. The message `bind` means that an account was bound, without a sign-in. */
export const finishSignIn = (provider: CodeProvider, query: Record<string, string>) =>
  callForMessage(`GET /api/oauth/${provider}`, { query })

export const loginByWeChat = (code: string) => call('GET /api/oauth/wechat', { query: { code } })

export const bindWeChat = (code: string) => call('GET /api/oauth/wechat/bind', { query: { code } })

/** Sends the widget's parameters unchanged: all of them are signed. */
export const loginByTelegram = (query: Record<string, string>) => call('GET /api/oauth/telegram/login', { query })

export const bindTelegram = (query: Record<string, string>) =>
  callForRedirect('GET /api/oauth/telegram/bind', { query })
