import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import { openTestGateway } from '../support/gateway.ts'
import { PASSWORD } from '../support/toolkit.ts'

test('the recipes of docs/api.md work in their order', async () => {
  const fixture = await openTestGateway()
  const { toolkit, root } = fixture
  const channel = await fixture.channel({ name: 'main' })
  const document = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8')
  const recipes = [...document.matchAll(/```sh\n(.*?)```/gs)].map(([, recipe]) => recipe)

  const { stdout } = await execa('bash', ['-c', ['set -euo pipefail', ...recipes].join('\n')], {
    env: { GATEWAY: fixture.url, PASSWORD },
  })

  expect(recipes.length).toBeGreaterThanOrEqual(5)
  expect(await toolkit.accounts.getByName(root, 'ann')).toMatchObject({ display_name: 'Ann', quota: 5_000_000 })
  expect(await toolkit.channels.get(root, channel.id)).toMatchObject({ status: CHANNEL_STATUS.disabled })
  const { items: codes } = await toolkit.redemption.list(root, {})
  expect(codes).toMatchObject(['spring', 'spring', 'spring'].map((name) => ({ name, quota: 500_000 })))
  for (const { key } of codes) expect(stdout).toContain(key)
  expect(stdout.trimEnd().split('\n').slice(-2)).toEqual(['1', '0'])
})
