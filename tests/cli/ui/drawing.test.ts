import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { createWorld } from '../support.ts'
import { KEY, openSession } from './terminal-session.ts'

/** Longer than a screen takes to be drawn after a resize. */
const DRAWN_MS = 1000

const session = shared(async () => {
  // An editor that stays open until there is a file `done`.
  const world = await createWorld({ EDITOR: "sh -c 'echo is editing; until [ -e done ]; do sleep 0.1; done'" })
  return { folder: world.folder, ...openSession(world) }
})

test('a key redraws only the lines that it changes, and the scrollback of the terminal stays', async () => {
  await session().sees('── Overview')
  await session().press('7', 'Options · 1/')
  const before = session().output().length
  await session().press('j', 'Options · 2/')
  const drawn = session().output().slice(before)
  expect(drawn).not.toContain('PasswordResetUniformReply')
  const [frame = ''] = drawn.split('\u001b[?2026l')
  // The title and two rows, with their styles. A whole screen has 24 lines.
  expect(frame.length).toBeLessThan(6 * 80)
  expect(session().output()).not.toContain('\u001b[3J')
})

test('nothing is drawn while an editor has the terminal, also after a resize', async () => {
  await session().press('/Footer\r', 'search: Footer')
  await session().press(`${KEY.enter}first`, 'Footer', 'first')
  await session().press(KEY.ctrlO, 'is editing')
  session().resize(100, 30)
  await sleep(DRAWN_MS)
  expect(session().output().split('is editing').at(-1)?.trim()).toBe('')
  await writeFile(join(session().folder, 'done'), '')
  await session().sees('▸ Footer', 'first')
  expect(session().picture().split('\n')).toHaveLength(30)
})

test('the screens are drawn with CI=true', async () => {
  const world = await createWorld()
  const { sees, press } = openSession({ ...world, env: { ...world.env, CI: 'true' } })
  await sees('── Overview', 'requests/min')
  await press('3', '── Tokens')
})
