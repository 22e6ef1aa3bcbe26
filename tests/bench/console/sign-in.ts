import type { BrowserContext } from 'playwright-core'

/** Signs root in, and stores the user in the browser, as the console does after a sign-in. */
export async function signIn(context: BrowserContext, password: string): Promise<void> {
  const answer = await context.request.post('/api/user/login', { data: { username: 'root', password } })
  const { data } = await answer.json()
  await context.addInitScript((user) => localStorage.setItem('user', JSON.stringify(user)), data)
}
