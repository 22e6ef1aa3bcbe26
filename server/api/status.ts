import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { Options } from '../../core/options/options.ts'
import { OPTIONS } from '../../core/options/registry.ts'
import { VERSION } from '../../core/version.ts'
import { Envelope, ok } from './envelope.ts'
import type { ApiParts } from './parts.ts'

/** What every client may know before anybody signs in; the web client keeps a copy of it. */
const Status = Type.Object({
  version: Type.String(),
  start_time: Type.Integer(),
  email_verification: Type.Boolean(),
  github_oauth: Type.Boolean(),
  github_client_id: Type.String(),
  linuxdo_oauth: Type.Boolean(),
  linuxdo_client_id: Type.String(),
  telegram_oauth: Type.Boolean(),
  telegram_bot_name: Type.String(),
  wechat_login: Type.Boolean(),
  wechat_qrcode: Type.String(),
  turnstile_check: Type.Boolean(),
  turnstile_site_key: Type.String(),
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

/** Until an operator says where the gateway is reached. */
const DEFAULT_ADDRESS = 'http://localhost:3000'

export const statusRoutes: FastifyPluginAsyncTypebox<ApiParts> = async (app, { toolkit, startedAt }) => {
  app.get('/api/status', { schema: { tags: ['status'], response: { 200: Envelope(Status) } } }, async () =>
    ok(statusOf(toolkit.options, startedAt)),
  )
}

function statusOf(options: Options, start_time: number): Static<typeof Status> {
  const get = options.get.bind(options)
  return {
    version: VERSION,
    start_time,
    email_verification: get(OPTIONS.EmailVerificationEnabled),
    github_oauth: get(OPTIONS.GitHubOAuthEnabled),
    github_client_id: get(OPTIONS.GitHubClientId),
    linuxdo_oauth: get(OPTIONS.LinuxDOOAuthEnabled),
    linuxdo_client_id: get(OPTIONS.LinuxDOClientId),
    telegram_oauth: get(OPTIONS.TelegramOAuthEnabled),
    telegram_bot_name: get(OPTIONS.TelegramBotName),
    wechat_login: get(OPTIONS.WeChatAuthEnabled),
    wechat_qrcode: get(OPTIONS.WeChatAccountQRCodeImageURL),
    turnstile_check: get(OPTIONS.TurnstileCheckEnabled),
    turnstile_site_key: get(OPTIONS.TurnstileSiteKey),
    system_name: get(OPTIONS.SystemName),
    logo: get(OPTIONS.Logo),
    footer_html: get(OPTIONS.Footer),
    server_address: get(OPTIONS.ServerAddress) || DEFAULT_ADDRESS,
    price: get(OPTIONS.Price),
    min_topup: get(OPTIONS.MinTopUp),
    top_up_link: get(OPTIONS.TopUpLink),
    enable_online_topup: [OPTIONS.PayAddress, OPTIONS.EpayId, OPTIONS.EpayKey].every((option) => get(option) !== ''),
    chat_link: get(OPTIONS.ChatLink),
    chat_link2: get(OPTIONS.ChatLink2),
    chats: get(OPTIONS.Chats) as Record<string, string>[],
    quota_per_unit: get(OPTIONS.QuotaPerUnit),
    display_in_currency: get(OPTIONS.DisplayInCurrencyEnabled),
    // Charges are group-committed, never collected in memory: there is no batch mode to be on.
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
