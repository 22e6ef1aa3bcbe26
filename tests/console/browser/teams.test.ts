import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { confirm, rowOf } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

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

    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.setViewportSize({ width: 390, height: 844 })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(overflow).toBeLessThanOrEqual(0)
  })

  test('show members their own row without the acts of an owner, and let them leave', async () => {
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
