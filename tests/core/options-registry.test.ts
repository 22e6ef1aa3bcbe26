import { describe, expect, expectTypeOf, test } from 'vitest'
import { findOption, missingPrerequisites, OPTIONS } from '../../core/options/registry.ts'
import type { Option } from '../../core/options/rows.ts'

const DOCUMENTED = `
  PasswordLoginEnabled PasswordRegisterEnabled RegisterEnabled EmailVerificationEnabled EmailDomainRestrictionEnabled
  EmailAliasRestrictionEnabled EmailDomainWhitelist GitHubOAuthEnabled GitHubClientId GitHubClientSecret
  LinuxDOOAuthEnabled LinuxDOClientId LinuxDOClientSecret WeChatAuthEnabled WeChatServerAddress WeChatServerToken
  WeChatAccountQRCodeImageURL TelegramOAuthEnabled TelegramBotToken TelegramBotName TurnstileCheckEnabled
  TurnstileSiteKey TurnstileSecretKey SMTPServer SMTPPort SMTPAccount SMTPFrom SMTPToken SMTPSSLEnabled ServerAddress
  WorkerUrl WorkerValidKey PayAddress EpayId EpayKey CustomCallbackAddress Price MinTopUp TopupGroupRatio TopUpLink
  SystemName Logo Footer Notice About HomePageContent ChatLink ChatLink2 Chats QuotaPerUnit DisplayInCurrencyEnabled
  DisplayTokenStatEnabled DefaultCollapseSidebar DemoSiteEnabled DrawingEnabled TaskEnabled LogConsumeEnabled ErrorLogEnabled ErrorLogRetentionDays
  DataExportEnabled DataExportInterval DataExportDefaultTime RetryTimes ChannelDisableThreshold
  AutomaticDisableChannelEnabled AutomaticEnableChannelEnabled AutomaticDisableKeywords QuotaRemindThreshold
  QuotaForNewUser QuotaForInviter QuotaForInvitee PreConsumedQuota ModelRatio ModelPrice CompletionRatio GroupRatio
  UserUsableGroups CheckSensitiveEnabled CheckSensitiveOnPromptEnabled SensitiveWords StopOnSensitiveEnabled
  StreamCacheQueueLength MjNotifyEnabled MjAccountFilterEnabled MjModeClearEnabled MjForwardUrlEnabled
  MjActionCheckSuccessEnabled FileUploadPermission FileDownloadPermission ImageUploadPermission ImageDownloadPermission
`.match(/\w+/g) as string[]
const OWN = `
  CacheRatio CacheWriteRatio DefaultModelRatio OIDCEnabled OIDCIssuer OIDCClientId OIDCClientSecret OIDCDisplayName
  OIDCScopes ChannelAffinityEnabled HoldShare LimitOutputToBalance CompleteAfterDisconnect GroupDebtLimit OutputTokensMax
  PlainModels PasswordLengthMax PasswordResetUniformReply AdminRedeemOwnCodes UnpaidOrdersMax InviteRewardOnce PriceConditions ToolPrices ToolCallsMax
  BatchPriceRatio MaxFileBytes FilesMax
  LogRetentionDays LogArchiveBeforeRemoval TaskRetentionDays
  ResponseStoreHours ResponseStoreMegabytes RateLimitsFailClosed BudgetLimitsFailOpen MetricsAllow MetricsToken
`.match(/\w+/g) as string[]
const ROWS: Option<unknown>[] = Object.values(OPTIONS)

describe('the registry', () => {
  test('has exactly one row for every documented key', () => {
    expect(Object.keys(OPTIONS).sort()).toEqual([...DOCUMENTED, ...OWN].sort())
  })

  test.each(ROWS)('$key has its key, its default passes its own check, and it has a description', (row) => {
    expect(findOption(row.key)).toBe(row)
    expect(row.check(row.default)).toBe(row.default)
    expect(() => row.parse(row.default)).not.toThrow()
    expect(row.description).toMatch(/^\S.*\S$/)
    for (const needed of row.requires ?? []) expect(findOption(needed)).toBeDefined()
  })

  test('hides exactly the keys that end in Token, Secret or Key', () => {
    const hidden = ROWS.filter(({ secret }) => secret).map(({ key }) => key)
    const documented = `GitHubClientSecret LinuxDOClientSecret WeChatServerToken TelegramBotToken OIDCClientSecret TurnstileSiteKey
      TurnstileSecretKey SMTPToken WorkerValidKey EpayKey MetricsToken`
    expect(hidden).toEqual(documented.split(/\s+/))
  })

  test.each(['', 'NoSuchOption', 'constructor', '__proto__', 'retrytimes'])('has no row for %j', (key) => {
    expect(findOption(key)).toBeUndefined()
  })

  test('returns each value in its own type', () => {
    expectTypeOf(OPTIONS.RetryTimes.parse('3')).toEqualTypeOf<number>()
    expectTypeOf(OPTIONS.DataExportDefaultTime.parse('day')).toEqualTypeOf<'hour' | 'day' | 'week'>()
    expect(OPTIONS.RetryTimes.parse('3')).toBe(3)
    expect(OPTIONS.Price.parse('7.3')).toBe(7.3)
    expect(OPTIONS.DefaultModelRatio.parse('')).toBeUndefined()
    expect(OPTIONS.DefaultModelRatio.parse('0')).toBe(0)
    expect(OPTIONS.GroupRatio.parse('{"vip":0.5}')).toEqual({ vip: 0.5 })
    expect(OPTIONS.Chats.parse(OPTIONS.Chats.default)).toHaveLength(5)
  })

  test.each([
    ['SystemName', 'Tollgate'],
    ['ServerAddress', ''],
    ['SMTPPort', '587'],
    ['QuotaPerUnit', '500000'],
    ['ChannelDisableThreshold', '5'],
    ['PreConsumedQuota', '500'],
    ['HoldShare', '0.25'],
    ['LimitOutputToBalance', 'true'],
    ['CompleteAfterDisconnect', 'true'],
    ['AdminRedeemOwnCodes', 'false'],
    ['GroupDebtLimit', '{}'],
    ['ToolCallsMax', '10'],
    ['BatchPriceRatio', '0.5'],
    ['MaxFileBytes', '536870912'],
    ['FilesMax', '1000'],
    ['LogRetentionDays', '0'],
    ['LogArchiveBeforeRemoval', ''],
    ['TaskRetentionDays', '0'],
    ['ResponseStoreHours', '24'],
    ['ResponseStoreMegabytes', '256'],
    ['QuotaRemindThreshold', '1000'],
    ['GroupRatio', '{"default":1,"svip":1,"vip":1}'],
    ['UserUsableGroups', '{"default":"默认分组","vip":"vip分组"}'],
    ['CacheRatio', '{}'],
    ['DefaultModelRatio', ''],
    ['DataExportDefaultTime', 'hour'],
  ])('%s starts as %j', (key, value) => expect(findOption(key)?.default).toBe(value))

  test('any stored text except true is a false boolean', () => {
    expect(['true', 'false', 'True', '1', ''].map((text) => OPTIONS.RegisterEnabled.parse(text))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})

describe('a value is rejected', () => {
  test.each([
    ['RegisterEnabled', 'True'],
    ['RegisterEnabled', '1'],
    ['RegisterEnabled', ''],
    ['RetryTimes', '21'],
    ['RetryTimes', '-1'],
    ['RetryTimes', '1.5'],
    ['RetryTimes', '1e1'],
    ['RetryTimes', ' '],
    ['RetryTimes', '3 '],
    ['RetryTimes', '0x3'],
    ['QuotaForNewUser', '9007199254740993'],
    ['QuotaForNewUser', '9'.repeat(400)],
    ['SMTPPort', '0'],
    ['SMTPPort', '65536'],
    ['DataExportInterval', '0'],
    ['Price', '0'],
    ['Price', '-7.3'],
    ['Price', '1e30'],
    ['Price', 'NaN'],
    ['Price', 'Infinity'],
    ['Price', ' '],
    ['Price', '.5'],
    ['Price', '7.'],
    ['Price', '0x10'],
    ['QuotaPerUnit', '0'],
    ['ChannelDisableThreshold', '-0.5'],
    ['DefaultModelRatio', '-1'],
    ['DefaultModelRatio', 'free'],
    ['DataExportDefaultTime', 'month'],
    ['ModelRatio', ''],
    ['ModelRatio', '{'],
    ['ModelRatio', '[]'],
    ['ModelRatio', 'null'],
    ['ModelRatio', '5'],
    ['ModelRatio', '{"a":"1"}'],
    ['ModelRatio', '{"a":null}'],
    ['ModelRatio', '{"a":1e400}'],
    ['ModelRatio', '{"a":1000000001}'],
    ['ModelPrice', '{"a":-0.1}'],
    ['UserUsableGroups', '{"a":1}'],
    ['UserUsableGroups', '["a"]'],
    ['Chats', '{}'],
    ['Chats', '[{}]'],
    ['Chats', '[{"a":"x","b":"y"}]'],
    ['Chats', '[{"a":1}]'],
    ['Chats', '["a"]'],
    ['Notice', 'x'.repeat(1024 * 1024 + 1)],
    ['Notice', 'a\0b'],
    ['ServerAddress', 'gate.example'],
    ['PayAddress', 'javascript:alert(1)'],
    ['WorkerUrl', 'ftp://worker.example'],
    ['WeChatServerAddress', 'http://'],
    ['OIDCIssuer', 'https://issuer example'],
  ])('%s = %.20j, with the name of the key', (key, value) => {
    const params = expect.objectContaining({ key })
    const refused = expect.objectContaining({ code: expect.stringMatching(/^OPTION_/), params })
    expect(() => findOption(key)?.check(value)).toThrow(refused)
  })

  test('if a group has a negative ratio', () => {
    const refused = expect.objectContaining({ code: 'OPTION_GROUP_RATIO', params: { key: 'GroupRatio', name: 'vip' } })
    expect(() => OPTIONS.GroupRatio.check('{"default":1,"vip":-0.1}')).toThrow(refused)
  })
})

describe('a value is stored', () => {
  test.each(['ServerAddress', 'WorkerUrl', 'PayAddress', 'WeChatServerAddress'])(
    '%s without its trailing slash',
    (key) => {
      expect(findOption(key)?.check('https://gate.example/')).toBe('https://gate.example')
      expect(findOption(key)?.check('https://gate.example/a//')).toBe('https://gate.example/a')
      expect(findOption(key)?.check('')).toBe('')
    },
  )

  test('other texts unchanged', () => {
    expect(OPTIONS.TopUpLink.check('https://shop.example/')).toBe('https://shop.example/')
    expect(OPTIONS.Notice.check(' # Hello \n')).toBe(' # Hello \n')
    expect(OPTIONS.ModelRatio.check('{\n  "a": 0.5\n}')).toBe('{\n  "a": 0.5\n}')
  })

  test('numbers in one format', () => {
    expect(OPTIONS.RetryTimes.check('007')).toBe('7')
    expect(OPTIONS.RetryTimes.check('-0')).toBe('0')
    expect(OPTIONS.ChannelDisableThreshold.check('-0.0')).toBe('0')
    expect(OPTIONS.QuotaForNewUser.check('1000000000000000')).toBe('1000000000000000')
    expect(() => OPTIONS.QuotaForNewUser.check('1000000000000001')).toThrow()
    expect(OPTIONS.DefaultModelRatio.check('0.0000001')).toBe('0.0000001')
  })
})

describe('prerequisites', () => {
  test.each([
    ['GitHubOAuthEnabled', ['GitHubClientId', 'GitHubClientSecret']],
    ['LinuxDOOAuthEnabled', ['LinuxDOClientId', 'LinuxDOClientSecret']],
    ['EmailDomainRestrictionEnabled', ['EmailDomainWhitelist']],
    ['WeChatAuthEnabled', ['WeChatServerAddress']],
    ['TurnstileCheckEnabled', ['TurnstileSiteKey', 'TurnstileSecretKey']],
  ])('of %s: %j', (key, needed) => {
    expect(missingPrerequisites(key, 'true', () => '')).toEqual(needed)
    expect(missingPrerequisites(key, 'true', () => 'filled')).toEqual([])
    expect(missingPrerequisites(key, 'false', () => '')).toEqual([])
    expect(missingPrerequisites(key, 'true', (asked) => (asked === needed[0] ? '' : 'filled'))).toEqual([needed[0]])
  })

  test('treat a whitelist of only commas as empty', () => {
    expect(missingPrerequisites('EmailDomainRestrictionEnabled', 'true', () => ' , ')).toEqual(['EmailDomainWhitelist'])
  })

  test('do not exist for other options and unknown keys', () => {
    expect(missingPrerequisites('TelegramOAuthEnabled', 'true', () => '')).toEqual([])
    expect(missingPrerequisites('NoSuchOption', 'true', () => '')).toEqual([])
  })
})
