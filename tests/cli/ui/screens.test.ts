import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { startSimulatedUpstream } from '../../../server/demo/upstream.ts'
import { shared, whenDone } from '../../support/lifetime.ts'
import { createWorld, relayed } from '../support.ts'
import { documented } from './pictures.ts'
import { GIVEN_BACK, KEY, openSession, pasted } from './terminal-session.ts'

const MODELS = 'gpt-4o,gpt-4o-mini'

/** One world and one session for the whole file: a process in a terminal takes longer to start than all there is to press. */
const session = shared(async () => {
  // An editor that writes two lines, over any content.
  const world = await createWorld({ EDITOR: "printf 'one\\ntwo\\n' >" })
  const upstream = await startSimulatedUpstream()
  whenDone(() => upstream.close())
  await world.inside(async (toolkit, root) => {
    await toolkit.channels.create(root, {
      name: 'main',
      type: 1,
      key: 'sk-upstream',
      models: MODELS,
      base_url: upstream.url,
      priority: 10,
    })
    const spare = await toolkit.channels.create(root, {
      name: 'spare',
      type: 14,
      key: 'sk-ant',
      models: 'claude-3-5-haiku',
      other: 'west',
    })
    await toolkit.channels.setStatus(root, spare.id, 2)
    await toolkit.tokens.create(root, { name: 'app', remain_quota: 500_000 })
    await toolkit.tokens.create(root, { name: '手机应用', unlimited_quota: true })
    await toolkit.accounts.create(root, { username: 'ann', password: 'a-password', quota: 1_000_000 })
    const { id } = await toolkit.accounts.create(root, { username: 'mallory', password: 'a-password', quota: 0 })
    // As an imported database may have it: it must not act on the operator's terminal.
    const hostile = { display_name: '\u001b[2J\u001b]0;x\u0007' }
    await toolkit.db.transaction((trx) => trx('users').where({ id }).update(hostile))
    await toolkit.redemption.create(root, { name: 'spring', quota: 500_000, count: 2 })
    for (let i = 0; i < 3; i += 1) await relayed(toolkit, { id: root.id, username: 'root' })
  })
  return { world, ...openSession(world) }
})

test('the overview shows current activity', async () => {
  await session().sees('requests/min 3', 'spent today $0.00132', 'channels enabled 1', 'gpt-4o', '2 spare')
  await documented('overview', session())
})

test('? shows all keys of a screen, and any key closes it', async () => {
  await session().press('3', 'app', '手机应用')
  await session().press('?', 'Keys: Tokens', 'last row')
  await documented('help', session())
  await session().press('x', 'STATUS')
  expect(session().picture()).not.toContain('Keys: Tokens')
})

test('tokens: invalid input stays in the form, valid input creates a key that is shown once', async () => {
  await session().press('', 'Tokens · 1/2')
  await documented('tokens', session())
  await session().press('a', 'New token')
  await session().press(`${KEY.tab}${KEY.ctrlU}much${KEY.ctrlS}`, 'Required.', '✗▸ Name')
  await session().press(`night${KEY.ctrlS}`, '✗▸ Quota', 'Expected a whole number from 0 to')
  await documented('token-form', session())
  await session().press(`${KEY.ctrlU}$2`, '= 1000000 ($2.00)')
  await session().press(KEY.ctrlS, 'The key of token night', /sk-\w{48}/)
  await session().press(KEY.escape, 'Tokens · 1/3')
  expect(session().picture()).not.toMatch(/sk-\w{48}/)
  const tokens = await session().world.inside((toolkit, root) => toolkit.tokens.list(root, { keyword: 'night' }))
  expect(tokens.items).toMatchObject([{ name: 'night', remain_quota: 1_000_000, status: 1 }])
})

test('a duplicate name is rejected by core, in the form, with the input kept', async () => {
  await session().press('a', 'New token')
  await session().press(`app${KEY.ctrlS}`, 'You already have a token named app')
  await session().press(KEY.escape, 'Close the form without saving?')
  await session().press('n', 'New token')
  await session().misses('Close the form')
  await session().press(KEY.escape, 'Close the form')
  await session().press('y', 'Tokens · 1/3')
})

test('a declined deletion deletes nothing; a confirmed one deletes', async () => {
  await session().press('d', 'Delete token night?')
  await session().press('n', 'Tokens · 1/3')
  await session().misses('Delete token')
  await session().press('d', 'Delete token night?')
  await session().press('y', 'Deleted token night.', 'Tokens · 1/2')
  const { total } = await session().world.inside((toolkit, root) => toolkit.tokens.list(root))
  expect(total).toBe(2)
})

test('search queries the gateway, and Esc ends it; wide characters keep column alignment', async () => {
  await session().press('/手机\r', 'search: 手机', 'Tokens · 1/1')
  const [titles = '', row = ''] = session().picture().split('\n').slice(2, 4)
  const before = (line: string, part: string) => line.slice(0, line.indexOf(part))
  const width = (text: string) => [...text].reduce((sum, each) => sum + (/[\u4e00-\u9fff]/.test(each) ? 2 : 1), 0)
  expect(width(before(row, 'sk-'))).toBe(width(before(titles, 'KEY')))
  await session().press('/zzz\r', 'Nothing found.')
  await session().press(KEY.escape, 'Tokens · 1/2')
})

test('one key disables and enables a token', async () => {
  await session().press('jk ', 'Disabled token 手机应用.', 'Space enable')
  await session().press(' ', 'Enabled token 手机应用.', 'Space disable')
})

test('tokens: only changed fields are saved, and an allowance that changed meanwhile is not silently overwritten', async () => {
  const { world } = session()
  const allowance = async (remain_quota?: number) =>
    world.inside(async (toolkit, root) => {
      const [app] = (await toolkit.tokens.list(root, { keyword: 'app' })).items
      if (remain_quota !== undefined) await toolkit.tokens.update(root, app?.id ?? 0, { remain_quota })
      return app
    })
  await session().press('Ge', 'Edit token app')
  await allowance(123_000)
  await session().press(`${KEY.tab}${KEY.ctrlU}750000${KEY.ctrlS}`, 'Meanwhile the value has changed to 123000.')
  expect(await allowance(123_000)).toMatchObject({ remain_quota: 123_000 })
  await session().press(KEY.ctrlS, 'Saved token app.', '$1.50')
  await session().press('e', 'Edit token app')
  await allowance(99_000)
  await session().press(`${KEY.tab.repeat(4)}gpt-4o${KEY.ctrlS}`, 'Saved token app.', 'gpt-4o')
  expect(await allowance()).toMatchObject({ remain_quota: 99_000, model_limits: 'gpt-4o', expired_time: -1 })
  await session().press('e', 'Edit token app')
  await session().press(KEY.ctrlS, 'Nothing was changed.')
})

test('channels: test, disable, edit; the detail shows health and history, never the key', async () => {
  await session().press('2', 'main', 'spare', 'Channels · 1/2')
  await documented('channels', session())
  await session().press('t', /Channel main answered with gpt-4o in \d/)
  await session().press('e', 'Edit channel main')
  await session().world.inside((toolkit, root) => toolkit.channels.update(root, 1, { weight: 7, tag: 'night' }))
  await session().press(`${KEY.down.repeat(2)}${pasted('sk-one\nsk-two')}`, '••••••⏎••••••', '2 keys')
  await session().press(KEY.ctrlS, 'These are 2 keys, but the channel uses one')
  await session().press(
    `${KEY.ctrlU}${KEY.down.repeat(5)}${KEY.ctrlU}x${KEY.ctrlS}`,
    'Expected a whole number from -999',
  )
  await session().press(`${KEY.ctrlU}20${KEY.ctrlS}`, 'Saved channel main.', /main .* 20 /)
  await session().press(`j${KEY.enter}`, 'Channel spare')
  expect(session().picture()).not.toContain('sk-ant')
  await session().press('G', 'history', 'disabled')
  await session().press(KEY.escape, 'Channels · 2/2')
  const { items } = await session().world.inside((toolkit, root) => toolkit.channels.list(root))
  expect(items).toMatchObject([
    { name: 'main', priority: 20, weight: 7, tag: 'night', models: MODELS },
    { name: 'spare', priority: 0, other: 'west' },
  ])
})

test('channels: an emptied field is cleared', async () => {
  await session().press('e', 'Edit channel spare', 'west')
  await session().press(`${KEY.up}${KEY.ctrlU}${KEY.ctrlS}`, 'Saved channel spare.')
  const { items } = await session().world.inside((toolkit, root) => toolkit.channels.list(root, { keyword: 'spare' }))
  expect(items).toMatchObject([{ name: 'spare', other: '', models: 'claude-3-5-haiku' }])
})

test('channels: the type is found by typing, and the entered key is hidden', async () => {
  await session().press('a', 'New channel')
  await session().press(`third${KEY.tab}deeps`, '‹ deepseek ›', 'deeps… 1/1')
  await session().press(`${KEY.tab}sk-visible`, '••••••••••')
  await documented('channel-form', session())
  expect(session().picture()).not.toContain('sk-visible')
  await session().press(KEY.ctrlS, 'Added channel third', 'Channels · ')
  const { items } = await session().world.inside((toolkit, root) => toolkit.channels.list(root, { keyword: 'third' }))
  expect(items).toMatchObject([{ type: 43, models: expect.stringContaining('deepseek') }])
})

test('channels: a channel with one key can get several keys and a key mode', async () => {
  const id = await session().world.inside(
    async (toolkit, root) => (await toolkit.channels.list(root, { keyword: 'third' })).items[0]?.id ?? 0,
  )
  await session().press('/third\r', 'Channels · 1/1')
  await session().press('e', 'Edit channel third')
  await session().press(
    `${KEY.down.repeat(2)}${pasted('sk-one\nsk-two\n')}${KEY.tab}polling${KEY.ctrlS}`,
    'Saved channel third.',
  )
  await session().press(KEY.escape, /Channels · \d\/3/)
  const third = await session().world.inside((toolkit, root) => toolkit.channels.get(root, id))
  expect(third).toMatchObject({ multi_key: { keys: 2, mode: 'polling' } })
})

test('users: a hostile name is sanitized; quota and level change, and errors of core are shown', async () => {
  await session().press('4', 'mallory', 'ann', 'Users · 1/3')
  await documented('users', session())
  await session().press('je', 'Edit user ann')
  const { world } = session()
  const spend = async (quota: number) =>
    world.inside(async ({ accounts }, root) => {
      const { id } = await accounts.getByName(root, 'ann')
      return accounts.adjustQuota(root, id, -quota)
    })
  await spend(600_000)
  await session().press(`${KEY.down.repeat(2)} B.${KEY.ctrlS}`, 'Saved user ann.', '$0.80')
  await session().press('e', 'Edit user ann')
  await spend(100_000)
  await session().press(`${KEY.down.repeat(3)}${KEY.ctrlU}2400000`, 'adds $4.00 to')
  await session().press(KEY.ctrlS, 'Saved user ann. New balance: $4.60')
  await session().press('e', 'Edit user ann')
  await session().press(`${KEY.up}${KEY.ctrlU}${KEY.ctrlS}`, 'group is required')
  await session().press(`default${KEY.ctrlS}`, 'Nothing was changed.')
  await session().press('m', 'Make ann an administrator?')
  await session().press('y', 'User ann is now an administrator.')
  await session().press('G ', 'Disable user root?')
  await session().press('y', 'The super administrator cannot be disabled')
  const ann = await session().world.inside((toolkit, root) => toolkit.accounts.getByName(root, 'ann'))
  expect(ann).toMatchObject({ quota: 2_300_000, display_name: expect.stringContaining('B.'), role: 10 })
})

test('codes: more than one batch is created with a counter; one code is disabled, one deleted', async () => {
  await session().press('5', 'spring', 'Codes · 1/2')
  await documented('codes', session())
  await session().press('a', 'New codes')
  await session().press(`summer${KEY.tab}${KEY.ctrlU}0${KEY.ctrlS}`, 'Expected a whole number from 1 to')
  await session().press(`${KEY.ctrlU}1000${KEY.tab}${KEY.ctrlU}150${KEY.ctrlS}`, 'Created 150 codes.', '1/152')
  await session().press(KEY.pageDown.repeat(6), /Codes · 1[01]\d\/152/)
  await session().press('G ', 'Disabled code 1.', '152/152')
  await session().press('d', 'Delete code 1, spring?')
  await session().press('y', 'Deleted code 1.', '151/151')
})

test('logs follow new rows, can be filtered, and show a receipt', async () => {
  await session().press('6', 'Logs', 'following', '$0.00044')
  const { world } = session()
  await world.inside(async (toolkit, root) => relayed(toolkit, { id: root.id, username: 'root' }, 5_000_000))
  await session().sees('$10.00')
  await documented('logs', session())
  await session().press('f', 'stopped')
  await session().press('/mini\r', 'Nothing found.', 'search: mini')
  await session().press(KEY.escape, '$10.00')
  await session().press('l', '── Filters')
  await session().press(`${KEY.up}yesterday${KEY.ctrlS}`, 'Expected a duration')
  await session().press(`${KEY.ctrlU}1h${KEY.tab}consum${KEY.ctrlS}`, 'type=consumption', 'since=', 'Logs · 1/5')
  await session().press(`G${KEY.enter}`, 'model ratio')
  await session().press('G', 'receipt', 'equal')
  await documented('receipt', session())
  await session().press(`${KEY.escape}`, 'type=consumption')
})

test('options: found by description; a value that core rejects shows the reason', async () => {
  await session().press('7', 'PasswordLoginEnabled', 'all areas')
  await session().press('/RetryTimes\r', 'Options · 1/1 ', 'search: RetryTimes')
  await session().press(`${KEY.enter}`, 'RetryTimes', 'default: ')
  await session().press(`${KEY.ctrlU}many${KEY.ctrlS}`, /RetryTimes.*(whole number|from)/)
  await documented('option-form', session())
  await session().press(`${KEY.ctrlU}7${KEY.ctrlS}`, 'Saved RetryTimes.', / 7$/m)
  expect(await session().world.inside(async (toolkit, root) => toolkit.options.read(root, 'RetryTimes'))).toBe('7')
})

test('a multi-line value shows as such, and is edited in an editor', async () => {
  await session().press('7', 'all areas')
  await session().press(`/${KEY.ctrlU}Footer\r`, 'search: Footer', 'Options · 1/')
  await session().press(KEY.enter, '▸ Footer')
  await session().press(`${pasted('left\nright')}${KEY.left.repeat(5)}!`, 'left⏎!right', 'Ctrl-O')
  await session().press(KEY.ctrlO, /Footer +one⏎two/)
  await session().press(KEY.ctrlS, 'Saved Footer.')
  expect(await session().world.inside(async (toolkit, root) => toolkit.options.read(root, 'Footer'))).toBe('one\ntwo')
})

test('a secret option is written and never shown', async () => {
  await session().press(`/${KEY.ctrlU}SMTPToken\r`, '********')
  await session().press(`${KEY.enter}mail-secret`, '•••••••••••')
  await session().press(KEY.ctrlS, 'Saved SMTPToken.')
  expect(session().picture()).not.toContain('mail-secret')
})

test('a larger terminal shows more, and a smaller one the important parts', async () => {
  await session().press('2', 'Channels')
  expect(session().picture()).not.toContain('MODELS')
  session().resize(200, 60)
  await session().sees('MODELS', MODELS)
  await documented('channels-wide', session())
  session().resize(60, 12)
  await session().misses('MODELS')
  expect(session().picture().split('\n')).toHaveLength(12)
  await session().sees('NAME', 'STATUS', '? more')
  await session().press('1', 'balance $', 'channels 2', 'circuits 0')
  expect(session().picture().split('\n')[0]).toMatch(/^ 1 Overview {2}2 Ch\S* .*8 Li/)
  session().resize(80, 24)
  await session().press('2', 'PRIORITY', '? more')
})

test('a too small terminal hides open dialogs, and ignores keys for hidden content', async () => {
  await session().press('5', 'Codes · 1/151')
  await session().press('d', 'Delete code')
  session().resize(39, 9)
  await session().sees('too small')
  await session().press('y1')
  session().resize(38, 9)
  await session().sees('38') // it has read the keys by then
  session().resize(80, 24)
  await session().sees('Delete code', 'y yes, n no')
  await session().press('n', 'Codes · 1/151')
  await session().misses('Delete code')
  await session().press('3', 'Tokens · ')
  await session().press('a', 'New token')
  await session().press('kept', 'kept')
  session().resize(39, 9)
  await session().sees('too small')
  session().resize(80, 24)
  await session().sees('New token', 'kept')
  await session().press(KEY.ctrlS, 'Copy it now')
  const [key = ''] = /sk-\w{48}/.exec(session().picture()) ?? []
  session().resize(39, 9)
  await session().sees('too small')
  session().resize(80, 24)
  await session().sees('Copy it now', key)
  await session().press(KEY.escape, 'Tokens · ')
})

test('a paste over a list does nothing', async () => {
  await session().press('5', 'Codes · 1/151')
  await session().press('\u001b[200~dy\u001b[201~r')
  await session().press('/\u001b[200~summer\u001b[201~\r', 'search: summer', 'Codes · 1/150')
  await session().press(KEY.escape, 'Codes · 1/151')
})

test('random input does not crash the screens', async () => {
  await session().press('1', '── Overview')
  const strange = [
    '\u001b[31m',
    '\u001b[<0;1;1M',
    '\u001b[[Z',
    '\u001b]0;x\u0007',
    '\u001bP1$r\u001b\\',
    '\u001b[200~\u001b[31m\u001b[201~',
  ]
  await session().press(strange.join(''))
  // Keys that do something are left out: this is about those that are none.
  const alphabet = ['\u001b', '\u001b[', '\u001bO', '\u001b[1;', ...'[]O;<m~PX^_0\u0000\u0001\u001c\u0085\u00ff中😀']
  for (let i = 0; i < 5; i += 1) {
    const noise = Array.from({ length: 60 }, () => alphabet[randomInt(alphabet.length)]).join('')
    await session().press(`${noise}\u001b[201~`)
  }
  // A letter right behind Esc would be Alt.
  await session().press(';')
  await session().press('3', '── Tokens')
  await session().press('1', 'requests/min')
})

test('limits show their usage, and lead to the requests of their owner', async () => {
  await session().world.inside(async (toolkit, root) => {
    const shared = { subject: 'user', subject_id: '1' } as const
    const [daily] = await toolkit.limits.set(root, [
      { ...shared, measure: 'requests', period: 'day', time_zone: 'UTC', amount: 4 },
      { ...shared, measure: 'quota', period: 'month', time_zone: 'UTC', amount: 5_000_000 },
    ])
    const dayMs = Math.floor(Date.now() / 86_400_000) * 86_400_000
    const counted = {
      limit_id: daily?.id,
      subject_id: '1',
      taken: JSON.stringify([[dayMs, 3]]),
      updated_at: dayMs / 1000,
    }
    await toolkit.db.transaction((trx) => trx('limit_windows').insert(counted))
  })
  await session().press('9', '── Limits · 1/2', 'user 1 (root)', '████████░░ 75%', '░░░░░░░░░░ 0%')
  await documented('limits', session())
  session().resize(120, 40)
  await session().sees('WINDOW', 'RESETS')
  await documented('limits-large', session())
  session().resize(80, 24)
  await session().press('l', '── Requests of root', 'gpt-4o')
  await session().press(KEY.escape, '── Limits · 1/2')
  await session().press('d', 'Remove limit')
  await session().press('n')
  await session().misses('Remove limit')
  await session().press('d', 'Remove limit')
  await session().press('y', /Removed limit \d+/, '── Limits · 1/1')
  expect(await session().world.inside((toolkit, root) => toolkit.limits.list(root))).toHaveLength(1)
})

test("a member's limit leads to the requests of this member", async () => {
  await session().world.inside(async (toolkit, root) => {
    const { id, name } = await toolkit.teams.create(root, { name: 'lab' })
    const token = await toolkit.teams.keys.create(root, id, { name: 'lab-key', unlimited_quota: true })
    await toolkit.teams.setQuota(root, id, 1_000_000)
    const member = { subject: 'member', subject_id: `${id}/${root.id}` } as const
    await toolkit.limits.set(root, [{ ...member, measure: 'requests', period: 'day', time_zone: 'UTC', amount: 4 }])
    await relayed(toolkit, { id, username: name, tokenId: token.id }, 700)
  })
  await session().press('9r', /member \d+\/1 /)
  await session().press('/member', 'Limits · 1/1')
  await session().press('\rl', '── Requests of lab/root · 1/1', '$0.0014')
  await session().press('\r', /prompt tokens +120/)
  await session().press(`${KEY.escape}`, 'Requests of lab/root')
  await session().press('l', 'Filters', 'Model')
  expect(session().picture()).not.toContain('Channel')
  await session().press(KEY.escape, 'Requests of lab/root')
  await session().press(KEY.escape, 'Limits · 1/1')
  await session().press('c', /Limits · 1\/[12]/)
})

test('a filter keeps what its form does not show', async () => {
  await session().press(':logs group=default\r', 'group=default')
  await session().press('l', 'Filters')
  await session().press('\t\tgpt\u0013', 'group=default · model=gpt')
  await session().press('c', 'Logs · 1/')
})

test('q exits and restores the terminal', async () => {
  await session().press('q')
  expect(await session().left()).toEqual({ ...GIVEN_BACK, exit: 0 })
})
