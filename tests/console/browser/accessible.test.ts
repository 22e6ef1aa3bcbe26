import { expect, test } from 'vitest'
import { expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

test('a check waits for what fades in, and still finds text that stays pale', async () => {
  const { page } = await open(await gateway(), { at: '/about' })
  const heading = page.getByRole('heading', { level: 1 })
  await heading.waitFor()

  await heading.evaluate((element) => void element.animate([{ opacity: 0.2 }, { opacity: 0.2 }], 1000))
  await expectAccessible(page)

  await heading.evaluate((element) => {
    element.style.opacity = '0.2'
  })
  await expect(expectAccessible(page)).rejects.toThrow('color-contrast')
})
