import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Config } from '../../core/config.ts'
import { GatewayError } from '../../core/errors.ts'
import type { Options } from '../../core/options/options.ts'
import { OPTIONS, publicAddress } from '../../core/options/registry.ts'
import { VERSION } from '../../core/version.ts'
import { paymentSettings } from '../../core/wallet/settings.ts'
import { answerError, Done, done, Envelope, ok, reportedError } from './envelope.ts'
import type { ApiParts } from './parts.ts'
import { describeRoutes } from './route.ts'

/** The gateway's status, for which no credential is needed. The web client caches it. */
const Status = Type.Object({
  version: Type.String(),
  start_time: Type.Integer(),
  email_verification: Type.Boolean(),
  github_oauth: Type.Boolean(),
  github_client_id: Type.String(),
  github_authorize_url: Type.String(),
  linuxdo_oauth: Type.Boolean(),
  linuxdo_client_id: Type.String(),
  linuxdo_authorize_url: Type.String(),
  oidc_oauth: Type.Boolean(),
  oidc_client_id: Type.String(),
  oidc_display_name: Type.String(),
  telegram_oauth: Type.Boolean(),
  telegram_bot_name: Type.String(),
  wechat_login: Type.Boolean(),
  wechat_qrcode: Type.String(),
  password_length_max: Type.Integer(),
  turnstile_check: Type.Boolean(),
  turnstile_site_key: Type.String(),
  turnstile_script_url: Type.String(),
  system_name: Type.String(),
  logo: Type.String(),
  footer_html: Type.String(),
  server_address: Type.String(),
  price: Type.Number(),
  min_topup: Type.Integer(),
  top_up_link: Type.String(),
  enable_online_topup: Type.Boolean(),
  chat_link: Type.String(),
  chat_link2: Type.String(),
  chats: Type.Array(Type.Record(Type.String(), Type.String())),
  quota_per_unit: Type.Number(),
  display_in_currency: Type.Boolean(),
  enable_batch_update: Type.Boolean(),
  enable_drawing: Type.Boolean(),
  enable_task: Type.Boolean(),
  enable_data_export: Type.Boolean(),
  data_export_default_time: Type.String(),
  default_collapse_sidebar: Type.Boolean(),
  mj_notify_enabled: Type.Boolean(),
  demo_site_enabled: Type.Boolean(),
})

export const statusRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, config, startedAt }) => {
  const anyone = describeRoutes('status', 'anyone')
  app.get('/api/status', anyone('Public status and settings', { reply: Envelope(Status) }), async () =>
    ok(publicStatus(toolkit.options, config.services, startedAt)),
  )

  const response = { 200: Done, 503: { description: 'The database does not respond', ...Done } }
  const schema = { tags: ['status'], summary: 'Checks whether the database responds', response }
  app.get('/api/status/test', { config: { access: 'admin' }, schema, errorHandler: answerUnavailable }, async () => {
    await toolkit.ping()
    return { ...done, message: 'Server is running' }
  })
}

/**
 * Reports every database failure as DATABASE_SILENT. This includes failures of the authentication, which queries the
 * database before the route does.
 */
function answerUnavailable(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = reportedError(error)
  if (refusal && refusal.code !== 'DATABASE_UNAVAILABLE') return answerError(error, request, reply)
  return answerError(new GatewayError('DATABASE_SILENT', {}, { cause: error }), request, reply)
}

/** Returns the reply of `GET /api/status`. The console's page also contains this reply. */
export function publicStatus(
  options: Options,
  services: Config['services'],
  /** Start time of the gateway, in Unix seconds. */
  startedAt: number,
): Static<typeof Status> {
  return { ...statusOf(options, startedAt), ...addressesOf(services) }
}

function statusOf(options: Options, start_time: number): Omit<Static<typeof Status>, keyof Addresses> {
  const get = options.get.bind(options)
  return {
    version: VERSION,
    start_time,
    email_verification: get(OPTIONS.EmailVerificationEnabled),
    github_oauth: get(OPTIONS.GitHubOAuthEnabled),
    github_client_id: get(OPTIONS.GitHubClientId),
    linuxdo_oauth: get(OPTIONS.LinuxDOOAuthEnabled),
    linuxdo_client_id: get(OPTIONS.LinuxDOClientId),
    oidc_oauth: get(OPTIONS.OIDCEnabled),
    oidc_client_id: get(OPTIONS.OIDCClientId),
    oidc_display_name: get(OPTIONS.OIDCDisplayName),
    telegram_oauth: get(OPTIONS.TelegramOAuthEnabled),
    telegram_bot_name: get(OPTIONS.TelegramBotName),
    wechat_login: get(OPTIONS.WeChatAuthEnabled),
    wechat_qrcode: get(OPTIONS.WeChatAccountQRCodeImageURL),
    password_length_max: get(OPTIONS.PasswordLengthMax),
    turnstile_check: get(OPTIONS.TurnstileCheckEnabled),
    turnstile_site_key: get(OPTIONS.TurnstileSiteKey),
    system_name: get(OPTIONS.SystemName),
    logo: get(OPTIONS.Logo),
    footer_html: get(OPTIONS.Footer),
    server_address: publicAddress(options),
    price: get(OPTIONS.Price),
    min_topup: get(OPTIONS.MinTopUp),
    top_up_link: get(OPTIONS.TopUpLink),
    enable_online_topup: paymentSettings(options) !== undefined,
    chat_link: get(OPTIONS.ChatLink),
    chat_link2: get(OPTIONS.ChatLink2),
    chats: get(OPTIONS.Chats) as Record<string, string>[],
    quota_per_unit: get(OPTIONS.QuotaPerUnit),
    display_in_currency: get(OPTIONS.DisplayInCurrencyEnabled),
    // The field states whether charges are first collected in memory, which the gateway never does.
    enable_batch_update: false,
    enable_drawing: get(OPTIONS.DrawingEnabled),
    enable_task: get(OPTIONS.TaskEnabled),
    enable_data_export: get(OPTIONS.DataExportEnabled),
    data_export_default_time: get(OPTIONS.DataExportDefaultTime),
    default_collapse_sidebar: get(OPTIONS.DefaultCollapseSidebar),
    mj_notify_enabled: get(OPTIONS.MjNotifyEnabled),
    demo_site_enabled: get(OPTIONS.DemoSiteEnabled),
  }
}

type Addresses = ReturnType<typeof addressesOf>

/** URLs of the identity providers and of the bot check, for the browser. */
function addressesOf({ github, linuxdo, turnstile }: Config['services']) {
  return {
    github_authorize_url: `${github}/login/oauth/authorize`,
    linuxdo_authorize_url: `${linuxdo}/oauth2/authorize`,
    turnstile_script_url: `${turnstile}/turnstile/v0/api.js`,
  }
}
