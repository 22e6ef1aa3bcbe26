import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { confirm, rowOf } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'
import { bill } from '../../support/toolkit.ts'

const gateway = reused()
const open = reusedConsole()

const dialog = (page: Page) => page.getByRole('dialog')

describe('teams', () => {
  test('are created, get quota and a key, and show it to their owner', async () => {
    const world = await gateway()
    const owner = await world.user({ quota: 5_000_000 })
    const { page } = await open(world, { as: owner, at: '/team', language: 'en' })

    await page.getByRole('button', { name: 'Create team' }).first().click()
    await dialog(page).getByLabel('Name').fill('Atlas')
    await dialog(page).getByRole('button', { name: 'OK' }).click()
    await page.getByRole('heading', { level: 1, name: 'Atlas' }).waitFor()
    await page.getByRole('button', { name: 'Transfer quota' }).click()
    await dialog(page).getByRole('button', { name: 'Transfer quota' }).click()
    const team = async () => (await world.toolkit.teams.list(owner)).items[0]
    await expect.poll(async () => (await team())?.quota).toBe(500_000)
    await page.getByRole('button', { name: 'Create key' }).click()
    await dialog(page).getByLabel('Name of the key').fill('app')
    await dialog(page).getByRole('button', { name: 'OK' }).click()
    await rowOf(page, 'app').first().waitFor()
    await page.getByRole('button', { name: 'Copy the key app' }).waitFor()
    const [{ id = 0 } = {}] = (await world.toolkit.teams.list(owner)).items
    for (const role of ['member', 'admin'] as const) {
      const { code = '' } = await world.toolkit.teams.invite(owner, id, { role })
      if (role === 'admin') await world.toolkit.teams.join(await world.user(), code)
    }
    await page.reload()
    await page.getByRole('button', { name: /^Revoke/ }).waitFor()

    await expectAccessible(page, { themes: BOTH_THEMES })
    await expectFits(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
  })

  test('show their usage by member and key, and its log rows with receipts', async () => {
    const world = await gateway()
    const [owner, member] = [await world.user({ quota: 5_000_000 }), await world.user()]
    const { teams, ledger } = world.toolkit
    const team = await teams.create(owner, { name: 'Corona' })
    const { code = '' } = await teams.invite(owner, team.id)
    await teams.join(member, code)
    await teams.transfer(owner, team.id, 2_000_000)
    for (const [person, name, quota] of [
      [owner, 'web', 500_000],
      [member, 'bot', 250_000],
    ] as const) {
      const { id: tokenId } = await teams.keys.create(person, team.id, { name, unlimited_quota: true })
      const hold = await ledger.hold({ userId: team.id, budgetTokenId: 0, quota })
      const payer = { id: team.id, role: 1, username: '@Corona' }
      await ledger.settle(hold, bill(payer, { quota, tokenId, tokenName: name, promptTokens: 10 }))
    }
    const { page } = await open(world, { as: owner, at: `/team/${team.id}?tab=usage&range=24h`, language: 'en' })
    const rows = (name: string) => page.getByRole('region', { name, exact: true }).locator('tbody tr')

    await expect
      .poll(() => rows('Member').allInnerTexts())
      .toMatchObject([
        expect.stringMatching(new RegExp(`^${owner.username}\\s.*\\$1\\.00`, 's')),
        expect.stringMatching(new RegExp(`^${member.username}\\s.*\\$0\\.50`, 's')),
      ])
    expect(await rows('Token').count()).toBe(2)
    expect(await page.locator('.figure').first().innerText()).toContain('$1.50')
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('link', { name: member.username }).click()
    await page.waitForURL(/tab=log/)
    // The usage tab, which leaves the page a moment later, has rows of both keys.
    await expect.poll(async () => [await rowOf(page, 'bot').count(), await rowOf(page, 'web').count()]).toEqual([1, 0])
    await rowOf(page, 'bot').first().getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'Request' }).waitFor()
    await page.getByText('gpt-4o').first().waitFor()
    await page.goto(`${world.url}/team/${team.id}?tab=log`)
    await rowOf(page, 'web').first().waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
  })

  test('show members their own row without owner actions, and let them leave', async () => {
    const world = await gateway()
    const [owner, member] = [await world.user(), await world.user()]
    const { teams } = world.toolkit
    const team = await teams.create(owner, { name: 'Borealis' })
    const { code = '' } = await teams.invite(owner, team.id)
    await teams.join(member, code)
    const { page } = await open(world, { as: member, at: `/team/${team.id}`, language: 'en' })

    await page.getByRole('heading', { level: 1, name: 'Borealis' }).waitFor()
    await rowOf(page, member.username).first().waitFor()
    expect(await rowOf(page, owner.username).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Delete team' }).count()).toBe(0)
    expect(await page.getByRole('heading', { name: 'Invites' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Leave team' }).click()
    await confirm(page, /Leave Borealis/)
    await page.getByText('No teams yet').waitFor()

    expect(await teams.members(owner, team.id)).toHaveLength(1)
  })
})
