import type { User } from '../../../core/accounts/schema.ts'
import type { ApiAnswer, ApiClient } from '../api.ts'
import type { TestToolkit } from '../toolkit.ts'

export async function setOptions({ toolkit, root }: TestToolkit, options: Record<string, string>): Promise<void> {
  for (const [key, value] of Object.entries(options)) await toolkit.options.set(root, key, value)
}

/** Begins a sign-in in a browser. Returns its state. */
export async function beginSignIn(browser: ApiClient, query = ''): Promise<string> {
  return (await browser.get(`/api/oauth/state${query}`)).body.data
}

/** Calls the provider's callback with these parameters. */
export function comeBack(browser: ApiClient, provider: string, parameters: Record<string, string>, headers = {}) {
  return browser.get(`/api/oauth/${provider}?${new URLSearchParams(parameters)}`, headers)
}

/** Begins a sign-in, and calls the callback with the code. */
export async function signInWith(browser: ApiClient, provider: string, code: string, headers = {}): Promise<ApiAnswer> {
  return comeBack(browser, provider, { code, state: await beginSignIn(browser) }, headers)
}

/** Returns the user as seen by an administrator. */
export function userOf({ toolkit, root }: TestToolkit, id: number): Promise<User> {
  return toolkit.accounts.get(root, id)
}

/** Returns the user registered last, or created by the last sign-in. */
export async function newestUser({ toolkit, root }: TestToolkit): Promise<User> {
  const { items } = await toolkit.accounts.list(root)
  return toolkit.accounts.get(root, Math.max(...items.map(({ id }) => id)))
}

export async function countUsers({ toolkit, root }: TestToolkit): Promise<number> {
  return (await toolkit.accounts.list(root)).total
}

/** Leaves the row as the documented deletion does. */
export async function softDelete({ toolkit }: TestToolkit, id: number): Promise<void> {
  await toolkit.db.transaction((trx) => trx('users').where({ id }).update({ deleted_at: '2026-01-01T00:00:00Z' }))
}

export const ENGLISH = { 'accept-language': 'en' }
