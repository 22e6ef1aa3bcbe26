/** All options that operators can set, one row for each. `area` adds the key and marks secrets. */
import { QUOTA_MAX } from '../input.ts'
import { COMPLETION_RATIO, GROUP_RATIO, MODEL_PRICE, MODEL_RATIO } from '../pricing/defaults.ts'
import { TOOL_PRICES } from '../pricing/tool-prices.ts'
import {
  addressesOption,
  addressOption,
  area,
  booleanOption,
  choiceOption,
  folderOption,
  integerOption,
  jsonArray,
  jsonObjectOfConditions,
  jsonObjectOfNumbers,
  jsonObjectOfTexts,
  lenientOption,
  numberOption,
  type Option,
  optionalNumber,
  RATIO_MAX,
  storedInNew,
  textOption,
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
/** The console replaces `{address}` and `{key}` in these links (`console/chat-links.ts`). */
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
    PasswordLoginEnabled: booleanOption(true, 'Allow sign-in with a password'),
    PasswordRegisterEnabled: booleanOption(true, 'Allow registration with a password'),
    RegisterEnabled: booleanOption(true, 'Allow new accounts, including third-party sign-in'),
    PasswordLengthMax: integerOption(20, { min: 20, max: 128 }, 'Maximum length of a new password in characters'),
    PasswordResetUniformReply: booleanOption(
      false,
      'Reply to requests for a reset link as if every mail address had an account',
    ),
    EmailVerificationEnabled: booleanOption(false, 'Require a mailed code on registration'),
    EmailDomainRestrictionEnabled: booleanOption(
      false,
      'Accept only mail addresses of the domains in EmailDomainWhitelist',
      { requires: ['EmailDomainWhitelist'], refusal: 'OPTION_EMAIL_UNCONFIGURED' },
    ),
    EmailAliasRestrictionEnabled: booleanOption(false, 'Reject mail addresses that contain + or . before the @'),
    EmailDomainWhitelist: textOption(MAIL_DOMAINS, 'Mail domains accepted on registration, separated by commas'),
    GitHubOAuthEnabled: booleanOption(false, 'Offer sign-in with GitHub', {
      requires: ['GitHubClientId', 'GitHubClientSecret'],
      refusal: 'OPTION_GITHUB_UNCONFIGURED',
    }),
    GitHubClientId: textOption('', 'Client id of the GitHub OAuth app'),
    GitHubClientSecret: textOption('', 'Client secret of the GitHub OAuth app'),
    LinuxDOOAuthEnabled: booleanOption(false, 'Offer sign-in with LinuxDO', {
      requires: ['LinuxDOClientId', 'LinuxDOClientSecret'],
      refusal: 'OPTION_LINUXDO_UNCONFIGURED',
    }),
    LinuxDOClientId: textOption('', 'Client id of the LinuxDO application'),
    LinuxDOClientSecret: textOption('', 'Client secret of the LinuxDO application'),
    WeChatAuthEnabled: booleanOption(false, 'Offer sign-in with WeChat', {
      requires: ['WeChatServerAddress'],
      refusal: 'OPTION_WECHAT_UNCONFIGURED',
    }),
    WeChatServerAddress: addressOption('Base address of the WeChat helper server'),
    WeChatServerToken: textOption('', 'Access token of the WeChat helper server'),
    WeChatAccountQRCodeImageURL: textOption('', 'Picture of the QR code shown for WeChat sign-in'),
    TelegramOAuthEnabled: booleanOption(false, 'Offer sign-in with Telegram'),
    TelegramBotToken: textOption('', 'Token of the Telegram bot'),
    TelegramBotName: textOption('', 'Name of the Telegram bot'),
    OIDCEnabled: booleanOption(false, 'Offer sign-in with an OpenID Connect provider', {
      requires: ['OIDCIssuer', 'OIDCClientId', 'OIDCClientSecret'],
      refusal: 'OPTION_OIDC_UNCONFIGURED',
    }),
    OIDCIssuer: addressOption('Issuer address of the OpenID Connect provider'),
    OIDCClientId: textOption('', 'Client id at the OpenID Connect provider'),
    OIDCClientSecret: textOption('', 'Client secret at the OpenID Connect provider'),
    OIDCDisplayName: textOption('', 'Label of the OpenID Connect provider on the sign-in page'),
    OIDCScopes: textOption(
      'openid profile email',
      'Scopes requested from the OpenID Connect provider; openid must be among them',
    ),
    TurnstileCheckEnabled: booleanOption(false, 'Use Cloudflare Turnstile to check that visitors are human', {
      requires: ['TurnstileSiteKey', 'TurnstileSecretKey'],
      refusal: 'OPTION_TURNSTILE_UNCONFIGURED',
    }),
    TurnstileSiteKey: textOption('', 'Site key of Turnstile, which the sign-in page shows'),
    TurnstileSecretKey: textOption('', 'Secret key of Turnstile'),
  }),
  ...area('mail', {
    SMTPServer: textOption('', 'Mail server to send from'),
    SMTPPort: integerOption(587, { min: 1, max: 65_535 }, 'Port of the mail server; 465 always uses TLS'),
    SMTPAccount: textOption('', 'Account at the mail server'),
    SMTPFrom: textOption('', 'Sender address; empty = the account'),
    SMTPToken: textOption('', 'Password of the mail account'),
    SMTPSSLEnabled: booleanOption(false, 'Use TLS from the first byte'),
  }),
  ...area('payment', {
    ServerAddress: addressOption('Public address of this gateway, for links in mails and payment notices'),
    WorkerUrl: addressOption('Proxy for downloads of remote media; empty = none'),
    WorkerValidKey: textOption('', 'Key for the media proxy'),
    PayAddress: addressOption('Address of the epay gateway'),
    EpayId: textOption('', 'Merchant id at the epay gateway'),
    EpayKey: textOption('', 'Merchant key at the epay gateway'),
    CustomCallbackAddress: lenientOption(addressOption('Address for payment notices; empty = ServerAddress')),
    Price: numberOption('7.3', { above: 0, max: 1e9 }, 'Price of one dollar of quota, in the currency users pay with'),
    MinTopUp: lenientOption(integerOption(1, { min: 1, max: 1e9 }, 'Smallest top-up, in dollars')),
    UnpaidOrdersMax: integerOption(
      20,
      { min: 0, max: 1e6 },
      'Maximum unpaid orders of a user in the last 24 hours; 0: unlimited',
    ),
    TopupGroupRatio: jsonObjectOfNumbers(GROUP_RATIO, 'Price multiplier of top-ups by user group'),
    TopUpLink: textOption('', 'Shop that sells redemption codes'),
  }),
  ...area('content', {
    SystemName: textOption('Tollgate', 'Name of this gateway in titles and mails'),
    Logo: textOption('', 'Address of the logo'),
    Footer: textOption('', 'Footer of every page, as HTML'),
    Notice: textOption('', 'Announcement to all visitors, as Markdown'),
    About: textOption('', 'The about page, as Markdown, HTML or an address to embed'),
    HomePageContent: textOption('', 'The home page, as Markdown, HTML or an address to embed'),
    ChatLink: textOption('', 'Address of a chat application; superseded by Chats'),
    ChatLink2: textOption('', 'Address of a second chat application; superseded by Chats'),
    Chats: jsonArray(CHATS, 'Chat applications for tokens: [{"name": "address with {key} and {address}"}]'),
  }),
  ...area('display', {
    QuotaPerUnit: numberOption(
      '500000',
      { above: 0, max: 1e12 },
      'Quota worth one dollar; a change revalues all balances',
    ),
    DisplayInCurrencyEnabled: booleanOption(true, 'Show quota in dollars'),
    DisplayTokenStatEnabled: booleanOption(
      true,
      'Reply to billing queries with the budget of the token instead of the balance of its owner',
    ),
    DefaultCollapseSidebar: booleanOption(false, "Collapse the console's side bar by default"),
    DemoSiteEnabled: booleanOption(false, 'Returned as demo_site_enabled in /api/status; no other effect'),
    DrawingEnabled: booleanOption(true, 'Show the drawing log in the menu'),
    TaskEnabled: booleanOption(true, 'Show the task log in the menu'),
  }),
  ...area('logs', {
    LogConsumeEnabled: booleanOption(true, 'Write a log row for every charged relay'),
    ErrorLogEnabled: booleanOption(true, 'Write a log row for every relay that fails'),
    ErrorLogRetentionDays: integerOption(
      30,
      { min: 0, max: RETENTION_DAYS_MAX },
      'Days after which rows of failed relays are removed; 0 = never',
    ),
    LogRetentionDays: integerOption(
      0,
      { min: 0, max: RETENTION_DAYS_MAX },
      'Days after which all log rows are removed; the ledger keeps their sums; 0 = never',
    ),
    LogArchiveBeforeRemoval: folderOption(
      'Folder on the server in which log rows are archived before LogRetentionDays removes them; empty = no archive',
    ),
    TaskRetentionDays: integerOption(
      0,
      { min: 0, max: RETENTION_DAYS_MAX },
      'Days after which finished drawings and tasks are removed; 0 = never',
    ),
    ResponseStoreHours: integerOption(
      24,
      { min: 0, max: 8760 },
      'Hours for which responses are stored, so that later requests can continue them; 0 = not stored',
    ),
    ResponseStoreMegabytes: integerOption(
      256,
      { min: 1, max: 1_048_576 },
      "Maximum megabytes of each user's stored responses; above it, the oldest are removed",
    ),
    DataExportEnabled: booleanOption(true, 'Keep hourly totals for the dashboard'),
    DataExportInterval: integerOption(
      5,
      { min: 1, max: 10_080 },
      'Accepted for compatibility; no effect: the totals are written with each charge',
    ),
    DataExportDefaultTime: choiceOption(['hour', 'day', 'week'], 'Default time step of the dashboard'),
  }),
  ...area('monitoring', {
    RetryTimes: storedInNew('2', integerOption(0, { min: 0, max: 20 }, 'Maximum further channels to try if one fails')),
    ChannelAffinityEnabled: booleanOption(true, 'Keep a conversation on one channel if cached prompts cost less'),
    ChannelDisableThreshold: numberOption(
      '5',
      { min: 0, max: 1e9 },
      'A channel test that takes more seconds disables the channel; 0 = no limit',
    ),
    AutomaticDisableChannelEnabled: booleanOption(false, 'Disable channels with permanent failures'),
    AutomaticEnableChannelEnabled: booleanOption(
      false,
      'Enable automatically disabled channels again when their test passes',
    ),
    AutomaticDisableKeywords: textOption(
      DISABLE_KEYWORDS.join('\n'),
      'Phrases of upstream errors that disable a channel, one per line',
    ),
    MetricsAllow: addressesOption(
      'Addresses and ranges that may read /metrics without a token, separated by commas; empty = only this machine',
    ),
    MetricsToken: textOption('', 'Bearer token to read /metrics from any address'),
    QuotaRemindThreshold: integerOption(1000, { min: 0, max: QUOTA_MAX }, 'Quota below which a user is warned by mail'),
  }),
  ...area('quota', {
    QuotaForNewUser: integerOption(0, { min: 0, max: QUOTA_MAX }, 'Initial quota of a new user'),
    QuotaForInviter: integerOption(0, { min: 0, max: QUOTA_MAX }, 'Quota for inviting a user'),
    QuotaForInvitee: integerOption(0, { min: 0, max: QUOTA_MAX }, 'Quota for registering with an invite code'),
    InviteRewardOnce: booleanOption(true, 'Pay invitation rewards once per address and browser'),
    PreConsumedQuota: integerOption(
      500,
      { min: 0, max: QUOTA_MAX },
      'Completion tokens to hold for a stream without a token maximum, if it shows all charged output',
    ),
    HoldShare: numberOption(
      '0.25',
      { min: 0.01, max: 1 },
      'Maximum share of the free balance to hold for the output of a request without a token maximum',
    ),
    LimitOutputToBalance: booleanOption(
      true,
      "Send the upstream a token maximum if the held quota is less than the price of the model's longest reply",
    ),
    CompleteAfterDisconnect: booleanOption(
      true,
      'After a client disconnects, read its stream to the end, within limits, and charge all of it',
    ),
    AdminRedeemOwnCodes: booleanOption(
      false,
      'Allow administrators to redeem codes that they created or changed; root always may',
    ),
    ToolCallsMax: integerOption(
      10,
      { min: 1, max: 1000 },
      'Maximum calls of hosted tools for a request that names no maximum of tool calls',
    ),
    BatchPriceRatio: numberOption(
      '0.5',
      { min: 0, max: 10 },
      'Price of a batch request as a share of the usual price; running batches keep their price',
    ),
    MaxFileBytes: integerOption(
      512 * 1024 * 1024,
      { min: 1, max: 8 * 1024 ** 3 },
      'Largest file that a client may upload, in bytes',
    ),
    FilesMax: integerOption(
      1000,
      { min: 1, max: 1_000_000 },
      'Maximum files of a user, or a team member, at upstreams',
    ),
    GroupDebtLimit: jsonObjectOfNumbers({}, 'Quota that each user of a group may owe; without an entry: 0'),
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
    PlainModels: textOption(
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
    CheckSensitiveEnabled: booleanOption(true, 'Enable the search for sensitive words'),
    CheckSensitiveOnPromptEnabled: booleanOption(true, 'Search prompts for sensitive words'),
    SensitiveWords: textOption('test_sensitive', 'Sensitive words, one per line; a prompt with one is rejected'),
    StopOnSensitiveEnabled: booleanOption(true, 'Accepted for compatibility; no effect'),
    StreamCacheQueueLength: integerOption(0, { min: 0, max: 1e6 }, 'Accepted for compatibility; no effect'),
  }),
  ...area('quota', {
    RateLimitsFailClosed: booleanOption(
      false,
      'Reject requests with limits of requests, tokens or concurrency while the database is unavailable',
    ),
    BudgetLimitsFailOpen: booleanOption(false, 'Allow requests with quota limits while the database is unavailable'),
  }),
  ...area('drawing', {
    MjNotifyEnabled: booleanOption(false, 'Forward the notify address of a drawing or a song to the upstream'),
    MjAccountFilterEnabled: booleanOption(false, 'Forward the account filter of a drawing to the upstream'),
    MjModeClearEnabled: booleanOption(false, 'Remove --fast, --relax and --turbo from drawing prompts'),
    MjForwardUrlEnabled: booleanOption(true, 'Serve pictures at the address of this gateway'),
    MjActionCheckSuccessEnabled: booleanOption(true, 'Allow follow-up actions only on finished drawings'),
  }),
  ...area('legacy', {
    FileUploadPermission: integerOption(0, { min: 0, max: QUOTA_MAX }, 'Accepted for compatibility; no effect'),
    FileDownloadPermission: integerOption(0, { min: 0, max: QUOTA_MAX }, 'Accepted for compatibility; no effect'),
    ImageUploadPermission: integerOption(0, { min: 0, max: QUOTA_MAX }, 'Accepted for compatibility; no effect'),
    ImageDownloadPermission: integerOption(0, { min: 0, max: QUOTA_MAX }, 'Accepted for compatibility; no effect'),
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
export function missingPrerequisites(key: string, value: string, get: (key: string) => string): string[] {
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
