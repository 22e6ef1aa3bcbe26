import { expect, test } from 'vitest'
import { startCutting } from '../../support/cutting-proxy.ts'
import { openTestGateway, serve } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'
import { CHANNEL, createFolder, environmentIn, relayed } from '../support.ts'
import { GIVEN_BACK, KEY, openSession } from './terminal-session.ts'

/** The same screens, over REST; in Chinese, and without colours. */
const session = shared(async () => {
  const world = await openTestGateway()
  const { toolkit, root, url } = world
  await toolkit.channels.create(root, CHANNEL)
  await relayed(toolkit, { id: root.id, username: 'root' })
  const folder = await createFolder()
  const token = await toolkit.accessTokens.create(root)
  const env = {
    ...environmentIn(folder),
    TOLLGATE_SERVER: url,
    TOLLGATE_TOKEN: token,
    NO_COLOR: '1',
    LANG: 'zh_CN.UTF-8',
  }
  return { ...world, ...openSession({ env, folder }) }
})

test('the overview of a server, in Chinese', async () => {
  const picture = await session().sees('概览', '请求/分 1', '启用的渠道 1', 'gpt-4o')
  expect(picture).toContain(session().url)
})

test('a token is created, disabled and deleted on the server', async () => {
  await session().press('3', '── 令牌')
  await session().press('a', '新建令牌')
  await session().press(`far${KEY.ctrlS}`, '令牌 far 的密钥', /sk-\w{48}/)
  await session().press(KEY.escape, '令牌 · 1/1', 'far')
  await session().press(' ', '已禁用令牌 far。')
  await session().press('d', '删除令牌 far？')
  await session().press('y', '已删除令牌 far。', '还没有令牌')
})

test("a user gets another balance; a channel is found and disabled; an option error shows the server's message", async () => {
  await session().press('4', '── 用户', 'root')
  await session().press('a', '新建用户')
  await session().press(`bob${KEY.tab}a-password${KEY.ctrlS}`, '已创建用户 bob。')
  await session().press('ge', '编辑用户 bob')
  await session().press(`${KEY.down.repeat(3)}${KEY.ctrlU}1500000${KEY.ctrlS}`, '已保存用户 bob。', '$3.00')
  await session().press('2', '── 渠道', 'upstream')
  await session().press(' ', '已禁用渠道 upstream。')
  await session().press('7', '── 选项', 'PasswordLoginEnabled')
  await session().press('/RetryTimes\r', '选项 · 1/1 ', '搜索：RetryTimes')
  await session().press(`${KEY.enter}${KEY.ctrlU}many${KEY.ctrlS}`, /RetryTimes.*整数/)
  await session().press(KEY.escape, '不保存就关闭表单？')
  await session().press('y', '选项 · 1/1')
})

test('an unavailable server is retried with the last data shown; then updates continue', async () => {
  await session().press('6', '── 日志', '跟随中', 'gpt-4o')
  const { gateway, url, toolkit } = session()
  await gateway.close()
  await session().sees('正在重试', 'gpt-4o')
  await serve(session(), { settings: { PORT: new URL(url).port } })
  await session().misses('正在重试')
  await relayed(toolkit, { id: 1, username: 'root' }, 5_000_000)
  await session().sees('$10.00')
})

test.each([
  { again: 'the form is sent again', typed: '', shown: '$3.00', stored: 1_500_000 },
  { again: 'another is wanted', typed: `${KEY.ctrlU}2000000`, shown: '$4.00', stored: 2_000_000 },
])('a balance changes once, though $again because the reply was lost', async ({ typed, shown, stored }) => {
  const world = await openTestGateway()
  const ann = await world.user({ username: 'ann', quota: 500_000 })
  let isCut = true
  const url = await startCutting(world, (call) => isCut && call.endsWith('/quota'))
  const folder = await createFolder()
  const token = await world.toolkit.accessTokens.create(world.root)
  const { press, sees } = openSession({
    folder,
    env: { ...environmentIn(folder), TOLLGATE_SERVER: url, TOLLGATE_TOKEN: token, LANG: 'zh_CN.UTF-8' },
  })
  await sees('── 概览')
  await press('4', '── 用户', 'ann')
  await press('gge', '编辑用户 ann')
  await press(`${KEY.down.repeat(3)}${KEY.ctrlU}1500000${KEY.ctrlS}`, /无法|失败|连接/)
  expect(await world.balance(ann)).toBe(1_500_000)

  isCut = false
  await press(`${typed}${KEY.ctrlS}`, '已保存用户 ann。', shown)
  expect(await world.balance(ann)).toBe(stored)
})

/** Red and green, as Ink writes them. */
const COLOURS = ['\u001b[31m', '\u001b[32m']

test('without colors nothing is colored, and the cursor is still visible', async () => {
  expect(COLOURS.filter((colour) => session().output().includes(colour))).toEqual([])
  expect(session().picture()).toContain('▌')
  await session().press('q')
  expect(await session().left()).toEqual({ ...GIVEN_BACK, exit: 0 })
})
