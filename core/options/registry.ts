/** All options that operators can set, one row for each. `area` adds the key and marks secrets. */
import { QUOTA_MAX } from '../input.ts'
import { COMPLETION_RATIO, GROUP_RATIO, MODEL_PRICE, MODEL_RATIO } from '../pricing/defaults.ts'
import { TOOL_PRICES } from '../pricing/tool-prices.ts'
import {
  address,
  addresses,
  area,
  boolean,
  choice,
  folder,
  integer,
  jsonArray,
  jsonObjectOfConditions,
  jsonObjectOfNumbers,
  jsonObjectOfTexts,
  number,
  type Option,
  optionalNumber,
  RATIO_MAX,
  savedWhileTyping,
  storedInNew,
  text,
} from './rows.ts'

const MAIL_DOMAINS = 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com'
const DISABLE_KEYWORDS = [
  'Your credit balance is too low',
  'This organization has been disabled.',
  'You exceeded your current quota',
  'Permission denied',
  'The security token included in the request is invalid',
  'Operation not allowed',
  'Your account is not authorized',
]
/** Ten years. */
const RETENTION_DAYS_MAX = 3650
/** Chat clients replace `{address}` and `{key}`. */
const CHATS = [
  { 'ChatGPT Next Web 官方示例': 'https://app.nextchat.dev/#/?settings={"key":"{key}","url":"{address}"}' },
  {
    'Lobe Chat 官方示例':
      'https://chat-preview.lobehub.com/?settings={"keyVaults":{"openai":{"apiKey":"{key}","baseURL":"{address}/v1"}}}',
  },
  {
    'AI as Workspace':
      'https://aiaw.app/set-provider?provider={"type":"openai","settings":{"apiKey":"{key}","baseURL":"{address}/v1","compatibility":"strict"}}',
  },
  { 'AMA 问天': 'ama://set-api-key?server={address}&key={key}' },
  { OpenCat: 'opencat://team/join?domain={address}&token={key}' },
]

export const OPTIONS = {
  ...area('login', {
    PasswordLoginEnabled: boolean(true, 'Allow sign-in with a password'),
    PasswordRegisterEnabled: boolean(true, 'Allow registration with a password'),
    RegisterEnabled: boolean(true, 'Allow new accounts, including third-party sign-in'),
    PasswordLengthMax: integer(20, { min: 20, max: 128 }, 'Maximum length of a new password in characters'),
    PasswordResetUniformReply: boolean(
      false,
      'Reply to requests for a reset link as if every mail address had an account',
    ),
    EmailVerificationEnabled: boolean(false, 'Require a mailed code on registration'),
    EmailDomainRestrictionEnabled: boolean(false, 'Accept only mail addresses of the domains in EmailDomainWhitelist', {
      requires: ['EmailDomainWhitelist'],
      refusal: 'OPTION_EMAIL_UNCONFIGURED',
    }),
    EmailAliasRestrictionEnabled: boolean(false, 'Reject mail addresses that contain + or . before the @'),
    EmailDomainWhitelist: text(MAIL_DOMAINS, 'Mail domains accepted on registration, separated by commas'),
    GitHubOAuthEnabled: boolean(false, 'Offer sign-in with GitHub', {
      requires: ['GitHubClientId', 'GitHubClientSecret'],
      refusal: 'OPTION_GITHUB_UNCONFIGURED',
    }),
    GitHubClientId: text('', 'Client id of the GitHub OAuth app'),
    GitHubClientSecret: text('', 'Client secret of the GitHub OAuth app'),
    LinuxDOOAuthEnabled: boolean(false, 'Offer sign-in with LinuxDO', {
      requires: ['LinuxDOClientId', 'LinuxDOClientSecret'],
      refusal: 'OPTION_LINUXDO_UNCONFIGURED',
    }),
    LinuxDOClientId: text('', 'Client id of the LinuxDO application'),
    LinuxDOClientSecret: text('', 'Client secret of the LinuxDO application'),
    WeChatAuthEnabled: boolean(false, 'Offer sign-in with WeChat', {
      requires: ['WeChatServerAddress'],
      refusal: 'OPTION_WECHAT_UNCONFIGURED',
    }),
    WeChatServerAddress: address('Base address of the WeChat helper server'),
    WeChatServerToken: text('', 'Access token of the WeChat helper server'),
    WeChatAccountQRCodeImageURL: text('', 'Picture of the QR code shown for WeChat sign-in'),
    TelegramOAuthEnabled: boolean(false, 'Offer sign-in with Telegram'),
    TelegramBotToken: text('', 'Token of the Telegram bot'),
    TelegramBotName: text('', 'Name of the Telegram bot'),
    OIDCEnabled: boolean(false, 'Offer sign-in with an OpenID Connect provider', {
      requires: ['OIDCIssuer', 'OIDCClientId', 'OIDCClientSecret'],
      refusal: 'OPTION_OIDC_UNCONFIGURED',
    }),
    OIDCIssuer: address('Issuer address of the OpenID Connect provider'),
    OIDCClientId: text('', 'Client id at the OpenID Connect provider'),
    OIDCClientSecret: text('', 'Client secret at the OpenID Connect provider'),
    OIDCDisplayName: text('', 'Label of the OpenID Connect provider on the sign-in page'),
    OIDCScopes: text(
      'openid profile email',
      'Scopes requested from the OpenID Connect provider; openid must be among them',
    ),
    TurnstileCheckEnabled: boolean(false, 'Check that visitors are human with Cloudflare Turnstile', {
      requires: ['TurnstileSiteKey', 'TurnstileSecretKey'],
      refusal: 'OPTION_TURNSTILE_UNCONFIGURED',
    }),
    TurnstileSiteKey: text('', 'Site key of Turnstile, which the sign-in page shows'),
    TurnstileSecretKey: text('', 'Secret key of Turnstile'),
  }),
  ...area('mail', {
    SMTPServer: text('', 'Mail server to send from'),
    SMTPPort: integer(587, { min: 1, max: 65_535 }, 'Port of the mail server; 465 always uses TLS'),
    SMTPAccount: text('', 'Account at the mail server'),
    SMTPFrom: text('', 'Sender address; empty = the account'),
    SMTPToken: text('', 'Password of the mail account'),
    SMTPSSLEnabled: boolean(false, 'Use TLS from the first byte'),
  }),
  ...area('payment', {
    ServerAddress: address('Public address of this gateway, for links in mails and payment notices'),
    WorkerUrl: address('Proxy for downloads of remote media; empty = none'),
    WorkerValidKey: text('', 'Key for the media proxy'),
    PayAddress: address('Address of the epay gateway'),
    EpayId: text('', 'Merchant id at the epay gateway'),
    EpayKey: text('', 'Merchant key at the epay gateway'),
    CustomCallbackAddress: savedWhileTyping(address('Address for payment notices; empty = ServerAddress')),
    Price: number('7.3', { above: 0, max: 1e9 }, 'Price of one dollar of quota, in the currency users pay with'),
    MinTopUp: savedWhileTyping(integer(1, { min: 1, max: 1e9 }, 'Smallest top-up, in dollars')),
    UnpaidOrdersMax: integer(
      20,
      { min: 0, max: 1e6 },
      'Maximum unpaid orders of a user in the last 24 hours; 0: unlimited',
    ),
    TopupGroupRatio: jsonObjectOfNumbers(GROUP_RATIO, 'Price multiplier of top-ups by user group'),
    TopUpLink: text('', 'Shop that sells redemption codes'),
  }),
  ...area('content', {
    SystemName: text('Tollgate', 'Name of this gateway in titles and mails'),
    Logo: text('', 'Address of the logo'),
    Footer: text('', 'Footer of every page, as HTML'),
    Notice: text('', 'Announcement to all visitors, as Markdown'),
    About: text('', 'The about page, as Markdown, HTML or an address to embed'),
    HomePageContent: text('', 'The home page, as Markdown, HTML or an address to embed'),
    ChatLink: text('', 'Address of a chat application; superseded by Chats'),
    ChatLink2: text('', 'Address of a second chat application; superseded by Chats'),
    Chats: jsonArray(CHATS, 'Chat applications for tokens: [{"name": "address with {key} and {address}"}]'),
  }),
  ...area('display', {
    QuotaPerUnit: number('500000', { above: 0, max: 1e12 }, 'Quota worth one dollar; a change revalues all balances'),
    DisplayInCurrencyEnabled: boolean(true, 'Show quota in dollars'),
    DisplayTokenStatEnabled: boolean(
      true,
      'Reply to billing queries with the budget of the token instead of the balance of its owner',
    ),
    DefaultCollapseSidebar: boolean(false, "Collapse the console's side bar by default"),
    DemoSiteEnabled: boolean(false, 'Returned as demo_site_enabled in /api/status; no other effect'),
    DrawingEnabled: boolean(true, 'Show the drawing log in the menu'),
    TaskEnabled: boolean(true, 'Show the task log in the menu'),
  }),
  ...area('logs', {
    LogConsumeEnabled: boolean(true, 'Write a log row for every charged relay'),
    ErrorLogEnabled: boolean(true, 'Write a log row for every relay that fails'),
    ErrorLogRetentionDays: integer(
      30,
      { min: 0, max: RETENTION_DAYS_MAX },
      'Days after which rows of failed relays are removed; 0 = never',
    ),
    LogRetentionDays: integer(
      0,
      { min: 0, max: RETENTION_DAYS_MAX },
      'Days after which all log rows are removed; the ledger keeps their sums; 0 = never',
    ),
    LogArchiveBeforeRemoval: folder(
      'Folder on the server in which log rows are archived before LogRetentionDays removes them; empty = no archive',
    ),
    TaskRetentionDays: integer(
      0,
      { min: 0, max: RETENTION_DAYS_MAX },
      'Days after which finished drawings and tasks are removed; 0 = never',
    ),
    ResponseStoreHours: integer(
      24,
      { min: 0, max: 8760 },
      'Hours for which responses are stored, so that later requests can continue them; 0 = not stored',
    ),
    ResponseStoreMegabytes: integer(
      256,
      { min: 1, max: 1_048_576 },
      "Megabytes of each user's stored responses; the oldest are removed above it",
    ),
    DataExportEnabled: boolean(true, 'Keep hourly totals for the dashboard'),
    DataExportInterval: integer(
      5,
      { min: 1, max: 10_080 },
      'Accepted for compatibility; no effect: the totals are written with each charge',
    ),
    DataExportDefaultTime: choice(['hour', 'day', 'week'], 'Default time step of the dashboard'),
  }),
  ...area('monitoring', {
    RetryTimes: storedInNew('2', integer(0, { min: 0, max: 20 }, 'Further channels to try when one fails')),
    ChannelAffinityEnabled: boolean(true, 'Keep a conversation on one channel if cached prompts cost less'),
    ChannelDisableThreshold: number(
      '5',
      { min: 0, max: 1e9 },
      'A channel test that takes more seconds disables the channel; 0 = no limit',
    ),
    AutomaticDisableChannelEnabled: boolean(false, 'Disable channels with permanent failures'),
    AutomaticEnableChannelEnabled: boolean(
      false,
      'Enable automatically disabled channels again when their test passes',
    ),
    AutomaticDisableKeywords: text(
      DISABLE_KEYWORDS.join('\n'),
      'Phrases of upstream errors that disable a channel, one per line',
    ),
    MetricsAllow: addresses(
      'Addresses and ranges that may read /metrics without a token, separated by commas; empty = only this machine',
    ),
    MetricsToken: text('', 'Bearer token to read /metrics from any address'),
    QuotaRemindThreshold: integer(1000, { min: 0, max: QUOTA_MAX }, 'Quota below which a user is warned by mail'),
  }),
  ...area('quota', {
    QuotaForNewUser: integer(0, { min: 0, max: QUOTA_MAX }, 'Initial quota of a new user'),
    QuotaForInviter: integer(0, { min: 0, max: QUOTA_MAX }, 'Quota for inviting a user'),
    QuotaForInvitee: integer(0, { min: 0, max: QUOTA_MAX }, 'Quota for registering with an invite code'),
    InviteRewardOnce: boolean(true, 'Pay invitation rewards once per address and browser'),
    PreConsumedQuota: integer(
      500,
      { min: 0, max: QUOTA_MAX },
      'Completion tokens to hold for a stream without a maximum, if the stream shows all charged output',
    ),
    HoldShare: number(
      '0.25',
      { min: 0.01, max: 1 },
      'Maximum share of the free balance to hold for the output of a request without a maximum',
    ),
    LimitOutputToBalance: boolean(
      true,
      "Send the upstream a maximum if the held quota is less than the price of the model's longest reply",
    ),
    CompleteAfterDisconnect: boolean(
      true,
      'After a client disconnects, read its stream to the end, within limits, and charge all of it',
    ),
    AdminRedeemOwnCodes: boolean(
      false,
      'Allow administrators to redeem codes that they created or changed; root always may',
    ),
    ToolCallsMax: integer(10, { min: 1, max: 1000 }, 'Maximum calls of hosted tools for a request without a maximum'),
    BatchPriceRatio: number(
      '0.5',
      { min: 0, max: 10 },
      'Price of a batch request as a share of the usual price; running batches keep their price',
    ),
    MaxFileBytes: integer(
      512 * 1024 * 1024,
      { min: 1, max: 8 * 1024 ** 3 },
      'Largest file that a client may upload, in bytes',
    ),
    FilesMax: integer(1000, { min: 1, max: 1_000_000 }, 'Maximum files of a user, or a team member, at upstreams'),
    GroupDebtLimit: jsonObjectOfNumbers({}, 'Quota that the users of a group may owe; without an entry 0'),
  }),
  ...area('ratio', {
    ModelRatio: jsonObjectOfNumbers(MODEL_RATIO, 'Price by model; 1 = 2 dollars per million prompt tokens'),
    ModelPrice: jsonObjectOfNumbers(MODEL_PRICE, 'Dollars per call by model; overrides ModelRatio'),
    CompletionRatio: jsonObjectOfNumbers(COMPLETION_RATIO, 'Price of a completion token in prompt tokens, by model'),
    CacheRatio: jsonObjectOfNumbers({}, 'Price of a cached prompt token in prompt tokens, by model'),
    CacheWriteRatio: jsonObjectOfNumbers({}, 'Price of a prompt token written to the cache in prompt tokens, by model'),
    PriceConditions: jsonObjectOfConditions(
      'Price factors by condition:model, such as prompt>200000, tier=flex, effort=high, utc=1630-0030, image, reasoning',
    ),
    ToolPrices: jsonObjectOfNumbers(
      TOOL_PRICES,
      'Dollars per call of tools that upstreams run; tool:model* by model, tool@type by channel type',
    ),
    OutputTokensMax: jsonObjectOfNumbers({}, 'The longest reply by model in tokens, if unknown or different'),
    PlainModels: text(
      '',
      'Models whose streams show all charged output, separated by commas; a trailing * is a wildcard',
    ),
    DefaultModelRatio: optionalNumber(
      { min: 0, max: RATIO_MAX },
      'Ratio of models without a price; empty = reject them',
    ),
    GroupRatio: jsonObjectOfNumbers(GROUP_RATIO, 'The groups, and their price multipliers', 'OPTION_GROUP_RATIO'),
    UserUsableGroups: jsonObjectOfTexts(
      { default: '默认分组', vip: 'vip分组' },
      'Groups that all users may choose, with labels',
    ),
  }),
  ...area('sensitive', {
    CheckSensitiveEnabled: boolean(true, 'Enable the search for sensitive words'),
    CheckSensitiveOnPromptEnabled: boolean(true, 'Search prompts for sensitive words'),
    SensitiveWords: text('test_sensitive', 'Sensitive words, one per line; a prompt with one is rejected'),
    StopOnSensitiveEnabled: boolean(true, 'Accepted for compatibility; no effect'),
    StreamCacheQueueLength: integer(0, { min: 0, max: 1e6 }, 'Accepted for compatibility; no effect'),
  }),
  ...area('quota', {
    RateLimitsFailClosed: boolean(
      false,
      'Reject requests with limits of requests, tokens or concurrency while the database is unavailable',
    ),
    BudgetLimitsFailOpen: boolean(false, 'Allow requests with quota limits while the database is unavailable'),
  }),
  ...area('drawing', {
    MjNotifyEnabled: boolean(false, 'Forward the notify address of a drawing or a song to the upstream'),
    MjAccountFilterEnabled: boolean(false, 'Forward the account filter of a drawing to the upstream'),
    MjModeClearEnabled: boolean(false, 'Remove --fast, --relax and --turbo from drawing prompts'),
    MjForwardUrlEnabled: boolean(true, 'Serve pictures at the address of this gateway'),
    MjActionCheckSuccessEnabled: boolean(true, 'Allow follow-up actions only on finished drawings'),
  }),
  ...area('legacy', {
    FileUploadPermission: integer(0, { min: 0, max: QUOTA_MAX }, 'Accepted for compatibility; no effect'),
    FileDownloadPermission: integer(0, { min: 0, max: QUOTA_MAX }, 'Accepted for compatibility; no effect'),
    ImageUploadPermission: integer(0, { min: 0, max: QUOTA_MAX }, 'Accepted for compatibility; no effect'),
    ImageDownloadPermission: integer(0, { min: 0, max: QUOTA_MAX }, 'Accepted for compatibility; no effect'),
  }),
}
export type OptionKey = keyof typeof OPTIONS

/** Returns the option with a key, or undefined if there is none. */
export function findOption(key: string): Option<unknown> | undefined {
  return isOptionKey(key) ? OPTIONS[key] : undefined
}

function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(OPTIONS, key)
}

/** Returns the keys of empty options that prevent `key` from being set to `value`. */
export function missingPrerequisite(key: string, value: string, get: (key: string) => string): string[] {
  if (value !== 'true') return []
  // A list that has only commas is empty.
  return (findOption(key)?.requires ?? []).filter((needed) => /^[\s,]*$/.test(get(needed)))
}

/** The public address that is used while ServerAddress is empty. */
const DEFAULT_ADDRESS = 'http://localhost:3000'

/** Returns the gateway's public address for links in mails and payment notices, without a trailing slash. */
export function publicAddress(options: { get<T>(option: Option<T>): T }): string {
  return options.get(OPTIONS.ServerAddress) || DEFAULT_ADDRESS
}
