import { describe, expect, test } from 'vitest'
import { limitNews } from '../../../core/limits/reached.ts'
import {
  channelLetter,
  codeLetter,
  guessesLetter,
  limitLetter,
  reminderLetter,
  resetLetter,
  testRoundLetter,
} from '../../../core/mail/letters.ts'

const CHINESE = /\p{Script=Han}/u
const systemName = '<Gate>'

describe('the mail with a code', () => {
  test('is in Chinese', () => {
    expect(codeLetter({ systemName, code: 'a1b2c3', language: 'zh' })).toEqual({
      subject: '<Gate>邮箱验证邮件',
      html: '<p>您好，您正在进行&lt;Gate&gt;邮箱验证。</p><p>您的验证码为：<strong>a1b2c3</strong></p><p>验证码 10 分钟内有效，如果不是本人操作，请忽略。</p>',
    })
  })

  test('is in English', () => {
    expect(codeLetter({ systemName, code: 'a1b2c3', language: 'en' })).toEqual({
      subject: '<Gate>: verification code',
      html: '<p>Hello, you are verifying your email address for &lt;Gate&gt;.</p><p>Your verification code: <strong>a1b2c3</strong></p><p>The code is valid for 10 minutes. If you did not ask for it, please ignore this mail.</p>',
    })
  })
})

describe('the mail with a link', () => {
  const link = 'https://gate.example.org/user/reset?email=ann%40example.org&token=00ff'
  const shown = 'https://gate.example.org/user/reset?email=ann%40example.org&amp;token=00ff'

  test('is in Chinese', () => {
    expect(resetLetter({ systemName, link, language: 'zh' })).toEqual({
      subject: '<Gate>密码重置',
      html: `<p>您好，您正在进行&lt;Gate&gt;密码重置。</p><p>点击 <a href="${shown}">此处</a> 进行密码重置。</p><p>如果链接无法点击，请尝试点击下面的链接或将其复制到浏览器中打开：<br> ${shown} </p><p>重置链接 10 分钟内有效，如果不是本人操作，请忽略。</p>`,
    })
  })

  test('is in English', () => {
    const { subject, html } = resetLetter({ systemName, link, language: 'en' })
    expect(subject).toBe('<Gate>: password reset')
    expect(html).toContain(`<p>Click <a href="${shown}">here</a> to reset the password.</p>`)
    expect(html).toMatch(/for &lt;Gate&gt;.*<br> https:[^ ]+&amp;token=00ff .*valid for 10 minutes/)
    expect(html).not.toMatch(CHINESE)
  })
})

test('the mail about wrong passwords is in both languages', () => {
  const account = { systemName, username: '<ann>' }
  expect(guessesLetter({ ...account, language: 'zh' })).toEqual({
    subject: '<Gate>登录失败提醒',
    html: '<p>您好，您在&lt;Gate&gt;的账户 <strong>&lt;ann&gt;</strong> 在一小时内多次因密码错误登录失败。</p><p>如果是您本人操作，请忽略。如果不是，您的密码尚未被猜中，但请确认密码足够复杂且未在别处使用。</p>',
  })
  expect(guessesLetter({ ...account, language: 'en' })).toEqual({
    subject: '<Gate>: failed sign-ins',
    html: '<p>Hello, several sign-ins to your account <strong>&lt;ann&gt;</strong> at &lt;Gate&gt; failed within an hour because of wrong passwords.</p><p>If it was you, please ignore this mail. If not, your password was not guessed, but please make sure that it is strong and not used elsewhere.</p>',
  })
})

describe('the mail about a channel', () => {
  const died = { channelId: 7, name: 'eu', event: 'disabled', reason: 'status code 401: no such key' } as const

  test('has the documented subject and reason, and no HTML from the error', () => {
    expect(channelLetter([died], 'zh')).toEqual({
      subject: '渠道「eu」（#7）已被禁用',
      html: '渠道「eu」（#7）已被禁用，原因：status code 401: no such key',
    })
    expect(channelLetter([{ ...died, event: 'enabled', reason: '' }], 'zh')).toEqual({
      subject: '渠道「eu」（#7）已被启用',
      html: '渠道「eu」（#7）已被启用',
    })
    const { html } = channelLetter([{ ...died, name: '<b>', reason: '<script>"&' }], 'zh')
    expect(html).toBe('渠道「&lt;b&gt;」（#7）已被禁用，原因：&lt;script&gt;&quot;&amp;')
    const key = channelLetter([{ ...died, event: 'key-disabled', key: 'a1b2' }], 'zh')
    expect(key.subject).toBe('渠道「eu」（#7）的密钥 a1b2 已被禁用')
  })

  test('has the same content in English', () => {
    expect(channelLetter([{ ...died, name: '<eu>' }], 'en')).toEqual({
      subject: 'Channel “<eu>” (#7) was disabled',
      html: 'Channel “&lt;eu&gt;” (#7) was disabled. Reason: status code 401: no such key',
    })
    expect(channelLetter([{ ...died, event: 'enabled', reason: '' }], 'en').html).toBe('Channel “eu” (#7) was enabled')
    const keys = (event: 'key-disabled' | 'key-enabled') =>
      channelLetter([{ ...died, event, key: 'a1b2' }], 'en').subject
    expect(keys('key-disabled')).toBe('Key a1b2 of channel “eu” (#7) was disabled')
    expect(keys('key-enabled')).toBe('Key a1b2 of channel “eu” (#7) was enabled')
  })

  test('lists many', () => {
    const changes = [died, { ...died, channelId: 8, event: 'enabled', reason: '' } as const]
    expect(channelLetter(changes, 'zh')).toEqual({
      subject: '2 个渠道状态变更',
      html: '<ul><li>渠道「eu」（#7）已被禁用，原因：status code 401: no such key</li><li>渠道「eu」（#8）已被启用</li></ul>',
    })
    expect(channelLetter(changes, 'en')).toEqual({
      subject: 'The status of 2 channels changed',
      html: '<ul><li>Channel “eu” (#7) was disabled. Reason: status code 401: no such key</li><li>Channel “eu” (#8) was enabled</li></ul>',
    })
  })
})

describe('the mail about a limit', () => {
  const limit = { id: 3, subject: 'user', measure: 'requests', amount: 60, period: 'minute' } as const
  const counted = (changes: object = {}) => ({ ...limit, ...changes }) as unknown as Parameters<typeof limitNews>[0]
  const display = { inCurrency: true, quotaPerUnit: 500_000 }
  const letter = (language: 'zh' | 'en', changes?: object) =>
    limitLetter(limitNews(counted(changes), { subjectId: '<7>', language, display }), language)

  test('names subject, amount and period in both languages', () => {
    expect(letter('zh')).toEqual({
      subject: '限制 3 已超出：用户 <7>，每分钟 60 次请求',
      html: '限制 3 已超出：用户 &lt;7&gt;，每分钟 60 次请求。没有请求被拒绝。本窗口内，此限制不再发送邮件。',
    })
    expect(letter('en')).toEqual({
      subject: 'Limit 3 was exceeded: user <7>, 60 requests per minute',
      html: 'Limit 3 was exceeded: user &lt;7&gt;, 60 requests per minute. No request was rejected. This limit causes no other mail in this window.',
    })
  })

  test('has money for a limit of quota, with six decimals like log rows', () => {
    const daily = { measure: 'quota', period: 'day', amount: 500_000 }
    expect(letter('en', daily).subject).toBe('Limit 3 was exceeded: user <7>, $1.000000 of quota per day')
    expect(letter('zh', daily).subject).toBe('限制 3 已超出：用户 <7>，每天 ＄1.000000 额度')
    expect(letter('en', { ...daily, amount: 7_500 }).subject).toContain('$0.015000 of quota')
    const tiny = limitNews(counted({ ...daily, amount: 9 }), {
      ...{ subjectId: '7', language: 'en' },
      display: { inCurrency: true, quotaPerUnit: 1e12 },
    })
    expect(tiny).toMatchObject({ amount: '9', measure: 'quota' })
  })

  test('has no period for a concurrency limit', () => {
    const concurrent = { measure: 'concurrent', period: 'none', amount: 5 }
    expect(letter('zh', concurrent).subject).toBe('限制 3 已超出：用户 <7>，同时最多 5 个并发请求')
    expect(letter('en', concurrent).subject).toBe(
      'Limit 3 was exceeded: user <7>, 5 concurrent requests at the same time',
    )
  })
})

test('the mail about a test of all channels is in both languages', () => {
  const round = { tested: 9, failed: 3, disabled: 2, enabled: 1 }
  expect(testRoundLetter(round, 'zh')).toEqual({
    subject: '渠道测试完成',
    html: '渠道测试完成，共测试 9 个渠道，失败 3 个，禁用 2 个，启用 1 个。',
  })
  expect(testRoundLetter(round, 'en')).toEqual({
    subject: 'Channel test completed',
    html: 'Channel test completed, channels tested: 9, failed: 3, disabled: 2, enabled: 1.',
  })
})

test('the mail about a low balance is in both languages', () => {
  const due = { balance: '<5>', topUpLink: 'https://gate.example.org/topup?a&b' }
  const link = "<a href='https://gate.example.org/topup?a&amp;b'>https://gate.example.org/topup?a&amp;b</a>"
  expect(reminderLetter({ ...due, usedUp: false, language: 'zh' })).toEqual({
    subject: '您的额度即将用尽',
    html: `您的额度即将用尽，当前剩余额度为 &lt;5&gt;，为了不影响您的使用，请及时充值。<br/>充值链接：${link}`,
  })
  expect(reminderLetter({ ...due, usedUp: true, language: 'zh' }).subject).toBe('您的额度已用尽')
  expect(reminderLetter({ ...due, usedUp: true, language: 'en' })).toEqual({
    subject: 'Your balance is used up',
    html: `Your balance is used up. The remaining balance is &lt;5&gt;. To keep using the service, please top up in time.<br/>Top up: ${link}`,
  })
  expect(reminderLetter({ ...due, usedUp: false, language: 'en' }).subject).toBe('Your balance is almost used up')
})
