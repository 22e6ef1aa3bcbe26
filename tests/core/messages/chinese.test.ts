import { describe, expect, test } from 'vitest'
import * as commands from '../../../cli/texts/zh.ts'
import { zh as core } from '../../../core/messages/zh.ts'

type Areas = Readonly<Record<string, Readonly<Record<string, string>>>>
const textsOf = (areas: Areas) =>
  Object.entries(areas).flatMap(([area, texts]) => Object.entries(texts).map(([key, text]) => ({ area, key, text })))

/** Texts that existing clients know. */
const FIXED = new Set([
  'NOT_SIGNED_IN',
  'ACCESS_TOKEN_INVALID',
  'ACCESS_TOKEN_UNSUPPORTED',
  'TURNSTILE_MISSING',
  'REDEMPTION_NAME',
  'REQUEST_MALFORMED',
  'WECHAT_TAKEN',
  'VERTEX_REGION_DEFAULT',
  'MODEL_NAME_TOO_LONG',
  'TAG_MISSING',
  'UPSTREAM_UNREADABLE',
  'REDEMPTION_COUNT_POSITIVE',
  'redeemed',
  'topped-up',
  'qianfan',
])
const texts = [...textsOf(core), ...textsOf(commands)].filter(({ key }) => !FIXED.has(key))

describe('Chinese texts of the command line and the server', () => {
  // Each thing has one term, which the console uses too.
  test.each([
    ['provider', '提供商', /供应商|提供方|服务商/],
    ['account', '账户', /(?<!服务)账号|帐/],
    ['disable', '禁用', /停用|搁置/],
    ['channel', '渠道', /通道/],
    ['interrupted', '已中断', /中止/],
    ['ledger', '账本', /账目/],
    ['held quota', '预扣', /冻结/],
    ['print', '输出', /打印/],
    ['respond', '响应', /应答/],
    ['area of options', '分类', /领域/],
    ['tokens of a model', 'Token', /词元|(?<!机器人的 |\()\btoken\b|令牌数(?!量)/],
    ['management key', '管理密钥', /管理 API (的)?密钥/],
    ['you', '您', /你/],
    ['pass only one', '只能给出一个', /只能给一个|给出其一$/],
  ])('call %s %s', (_, __, others) => {
    expect(
      texts.filter(({ text }) => others.test(text.replaceAll(/\{\{\w+\}\}|--[\w-]+|tollgate [\w-]+( [\w-]+)*/g, ''))),
    ).toEqual([])
  })

  test('have full-width punctuation, and a space between Chinese and Latin letters', () => {
    const wrong = [
      /\p{sc=Han}[,;!?]|[,;!?]\p{sc=Han}/u,
      /\p{sc=Han}\(|\)\p{sc=Han}/u,
      /\p{sc=Han}[a-z\d]|[a-z\d]\p{sc=Han}/iu,
    ]
    const spaced = / [，。：；！？、（）“”]|[，。：；！？、）“”] /
    expect(texts.filter(({ text }) => [...wrong, spaced].some((pattern) => pattern.test(text)))).toEqual([])
  })
})
