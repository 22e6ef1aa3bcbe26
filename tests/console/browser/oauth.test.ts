import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { type OpenConsole, reusedConsole } from '../../support/browser.ts'
import { shared } from '../../support/lifetime.ts'
import { reused } from '../../support/reused.ts'
import { GITHUB_APP, startGitHub } from '../../support/sign-in/github.ts'
import { LINUXDO_APP, startLinuxDo } from '../../support/sign-in/linuxdo.ts'
import { OIDC_CLIENT, startOidc } from '../../support/sign-in/oidc.ts'
import type { StandIn } from '../../support/sign-in/stand-in.ts'
import { newestUser, setOptions, userOf } from '../../support/sign-in/visit.ts'

const providers = shared(async () => ({
  github: await startGitHub(),
  linuxDo: await startLinuxDo(),
  oidc: await startOidc(),
}))
const gateway = reused(() => ({
  settings: {
    GITHUB_URL: providers().github.url,
    GITHUB_API_URL: `${providers().github.url}/api/v3`,
    LINUXDO_URL: providers().linuxDo.url,
  },
}))
const open = reusedConsole()

async function openWorld() {
  const { github, linuxDo, oidc } = providers()
  const world = await gateway()
  await setOptions(world, {
    GitHubClientId: GITHUB_APP.client_id,
    GitHubClientSecret: GITHUB_APP.client_secret,
    GitHubOAuthEnabled: 'true',
    LinuxDOClientId: LINUXDO_APP.id,
    LinuxDOClientSecret: LINUXDO_APP.secret,
    LinuxDOOAuthEnabled: 'true',
    OIDCIssuer: oidc.url,
    OIDCClientId: OIDC_CLIENT.id,
    OIDCClientSecret: OIDC_CLIENT.secret,
    OIDCDisplayName: 'Acme',
    OIDCEnabled: 'true',
  })
  linuxDo.callback = `${world.url}/api/oauth/linuxdo`
  for (const provider of [github, linuxDo, oidc]) provider.seen.length = 0
  return world
}

/** Makes the provider's consent page redirect immediately to the URL that `callbackUrl` returns. */
function approveAt(
  provider: StandIn,
  path: string,
  callbackUrl: (requested: Record<string, string>, address: string) => string,
) {
  provider.replaceRoute(`GET ${path}`, ({ path: address, response }) => {
    const params = Object.fromEntries(new URL(address, provider.url).searchParams)
    response.writeHead(302, { location: callbackUrl(params, provider.url + address) }).end()
  })
}

/** Clicks a button that opens a sign-in window, and waits until both windows show the signed-in console. */
async function signInInNewWindow({ page, expects }: OpenConsole, name: string): Promise<void> {
  expects(/from elsewhere: GET http:\/\/127\.0\.0\.1/)
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name }).click()])
  await popup.waitForURL('**/token')
  await toast(popup, '登录成功！').waitFor()
  // The first window is notified of the sign-in and navigates too.
  await page.waitForURL('**/token')
}

describe('an external sign-in', () => {
  test('with GitHub opens a new window, and records the inviter', async () => {
    const world = await openWorld()
    const { github } = providers()
    const inviter = await world.user()
    const { aff_code } = await userOf(world, inviter.id)
    approveAt(github, '/login/oauth/authorize', ({ state = '' }) => {
      const code = github.allow({ login: 'ann', name: 'Ann' })
      return `${world.url}/oauth/github?${new URLSearchParams({ code, state })}`
    })
    const openConsole = await open(world, { at: `/register?aff=${aff_code}` })
    await openConsole.page.getByText(`你是受邀注册，邀请码：${aff_code}`).waitFor()
    await openConsole.page.getByRole('link', { name: '去登录' }).click()

    await signInInNewWindow(openConsole, '使用 GitHub 登录')

    const [{ path = '' } = {}] = github.seen
    const params = new URL(path, github.url).searchParams
    expect([...params.keys()]).toEqual(['client_id', 'state', 'scope'])
    expect([params.get('client_id'), params.get('scope')]).toEqual([GITHUB_APP.client_id, 'user:email'])
    expect(await newestUser(world)).toMatchObject({ github_id: 'ann', inviter_id: inviter.id })
    expect(await openConsole.page.evaluate(() => localStorage.getItem('aff'))).toBeNull()
  })

  test('with LinuxDO sends the client id and the state', async () => {
    const world = await openWorld()
    const { linuxDo } = providers()
    approveAt(linuxDo, '/oauth2/authorize', ({ state = '' }) => {
      const code = linuxDo.allow({ id: 4711, name: 'Ann' })
      return `${world.url}/oauth/linuxdo?${new URLSearchParams({ code, state })}`
    })
    const openConsole = await open(world, { at: '/login' })

    await signInInNewWindow(openConsole, '使用 LinuxDO 登录')

    const params = new URL(linuxDo.seen[0]?.path ?? '', linuxDo.url).searchParams
    expect([...params.keys()]).toEqual(['response_type', 'client_id', 'state'])
    expect([params.get('response_type'), params.get('client_id')]).toEqual(['code', LINUXDO_APP.id])
    expect(await newestUser(world)).toMatchObject({ linux_do_id: '4711' })
  })

  test("with OpenID Connect redirects to the provider's authorization endpoint", async () => {
    const world = await openWorld()
    const { oidc } = providers()
    approveAt(oidc, '/authorize', (_, address) => {
      return `${world.url}/oauth/oidc?${new URLSearchParams(oidc.allow(address, { sub: 'sub-1', name: 'Ann' }))}`
    })
    const openConsole = await open(world, { at: '/login' })

    await signInInNewWindow(openConsole, '使用 Acme 登录')

    expect(await newestUser(world)).toMatchObject({ oidc_id: 'sub-1' })
  })

  test('that is disabled has no button, and loads nothing from other origins', async () => {
    const { page } = await open(await gateway(), { at: '/login' })
    await page.waitForLoadState('networkidle')

    expect(await page.getByRole('button', { name: /^使用/ }).count()).toBe(0)
    expect(await page.getByText('或使用第三方账户').count()).toBe(0)
  })

  test('reports why it cannot start, and leaves no window open', async () => {
    const world = await openWorld()
    const { page, context } = await open(world, { at: '/login' })
    await page.getByRole('button', { name: '使用 GitHub 登录' }).waitFor()
    await page.route('**/api/oauth/state', (route) =>
      route.fulfill({ json: { success: false, message: '无法保存会话' } }),
    )

    const openPages = context.pages().length

    await page.getByRole('button', { name: '使用 GitHub 登录' }).click()

    await toast(page, '无法保存会话').waitFor()
    await expect.poll(() => context.pages().length).toBe(openPages)
  })
})

describe('the callback of a provider', () => {
  test('binds the account to the signed-in user, and opens the settings', async () => {
    const world = await openWorld()
    const person = await world.user()
    const { page } = await open(world, { as: person, at: '/about' })
    const state = await page.evaluate(async () => (await (await fetch('/api/oauth/state')).json()).data)
    const code = providers().github.allow({ login: 'ben' })

    await page.goto(`/oauth/github?${new URLSearchParams({ code, state })}`)

    await toast(page, '绑定成功！').waitFor()
    await page.waitForURL('/setting')
    expect(await userOf(world, person.id)).toMatchObject({ github_id: 'ben' })
  })

  test('with an error shows its message and opens the settings, which redirect a visitor to the login page', async () => {
    const world = await openWorld()
    const { page } = await open(world)

    await page.goto('/oauth/github?error=access_denied&error_description=Not+today')

    await toast(page, 'Not today').waitFor()
    await page.getByRole('status').getByText('操作失败，重定向至登录界面中...').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.waitForURL('/login?to=%2Fsetting')
  })

  test('of a sign-in begun in another browser shows an error, binds no account and opens the settings', async () => {
    const world = await openWorld()
    const person = await world.user()
    const { page, expects } = await open(world, { as: person })
    expects(/status of 403/)

    await page.goto(`/oauth/linuxdo?code=${providers().linuxDo.allow({ id: 9 })}&state=elsewhere`)

    await toast(page, '此次第三方登录已过期，或不是从本浏览器发起的，请重新发起').waitFor()
    await page.waitForURL('/setting')
    expect(await userOf(world, person.id)).toMatchObject({ linux_do_id: '' })
  })

  test('of an unknown provider shows the "page not found" page', async () => {
    const { page } = await open(await gateway(), { at: '/oauth/elsewhere' })

    await page.getByRole('heading', { name: '页面不存在' }).waitFor()
  })
})
