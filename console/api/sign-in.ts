import type { Body, Options, Query } from './calls.ts'
import { call, callForMessage, callForRedirect } from './client.ts'

/** Where people sign in on a page of the provider's, and come back from with a code. */
export type CodeProvider = 'github' | 'linuxdo' | 'oidc'
export const CODE_PROVIDERS: readonly CodeProvider[] = ['github', 'linuxdo', 'oidc']

/** What the bot check gave, for the calls that want it. */
interface Checked {
  turnstile: string | undefined
}

export const register = ({ turnstile, ...body }: Options<'POST /api/user/register'>['body'] & Checked) =>
  call('POST /api/user/register', { query: { turnstile }, body })

export const login = ({ turnstile, ...body }: Body<'POST /api/user/login'> & Checked) =>
  call('POST /api/user/login', { query: { turnstile }, body })

/** Has a code mailed that proves the address. */
export const sendEmailCode = (query: { email: string } & Checked) => call('GET /api/verification', { query })

/** Has a link mailed that sets a new password. */
export const sendResetLink = (query: { email: string } & Checked) => call('GET /api/reset_password', { query })

/** Answers the new password. */
export const resetPassword = (body: Body<'POST /api/user/reset'>) => call('POST /api/user/reset', { body })

/** A value that a provider must send back: it proves that the sign-in began in this browser. */
export const beginSignIn = (query: Query<'GET /api/oauth/state'>) => call('GET /api/oauth/state', { query })

/** Answers the provider's page, whole. */
export const beginOidc = (query: Query<'GET /api/oauth/oidc/start'>) => call('GET /api/oauth/oidc/start', { query })

/** Hands over what a provider sent back. The message `bind` says that an account was bound, and nobody signed in. */
export const finishSignIn = (provider: CodeProvider, query: Record<string, string>) =>
  callForMessage(`GET /api/oauth/${provider}`, { query })

export const loginByWeChat = (code: string) => call('GET /api/oauth/wechat', { query: { code } })

export const bindWeChat = (code: string) => call('GET /api/oauth/wechat/bind', { query: { code } })

/** The widget's parameters go on as they came: all of them are signed. */
export const loginByTelegram = (query: Record<string, string>) => call('GET /api/oauth/telegram/login', { query })

export const bindTelegram = (query: Record<string, string>) =>
  callForRedirect('GET /api/oauth/telegram/bind', { query })
