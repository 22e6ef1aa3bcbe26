import { useQuery } from '@tanstack/react-query'
import { readStored, writeStatusText, writeStored } from '../storage.ts'
import type { Data } from './calls.ts'
import { call } from './client.ts'

/** What the platform tells everybody. */
export type Status = Data<'GET /api/status'>

export const STATUS_KEY = 'status'

/** What of it is kept under names of its own as well: pages beside the console, and scripts of operators, read it there. */
const KEPT_APART = [
  'system_name',
  'logo',
  'footer_html',
  'quota_per_unit',
  'display_in_currency',
  'enable_drawing',
  'enable_task',
  'enable_data_export',
  'chats',
  'data_export_default_time',
  'default_collapse_sidebar',
  'mj_notify_enabled',
  'chat_link',
  'chat_link2',
  'email_verification',
  'turnstile_check',
  'turnstile_site_key',
  'github_oauth',
  'github_client_id',
  'linuxdo_oauth',
  'linuxdo_client_id',
  'wechat_login',
  'wechat_qrcode',
  'telegram_oauth',
  'telegram_bot_name',
] as const satisfies readonly (keyof Status)[]
export type StatusField = (typeof KEPT_APART)[number]

/** The platform's status. That of the last visit stands in until the server answers, so that nothing flickers. */
export function useStatus() {
  return useQuery({
    queryKey: [STATUS_KEY],
    queryFn: async ({ signal }) => {
      const status = await call('GET /api/status', { signal })
      keep(status)
      return status
    },
    initialData: () => readStored('status', isStatus),
    initialDataUpdatedAt: 0,
    staleTime: 60_000,
  })
}

function keep(status: Status): void {
  writeStored('status', status)
  for (const field of KEPT_APART) {
    const value = status[field]
    writeStatusText(field, typeof value === 'string' ? value : JSON.stringify(value))
  }
}

function isStatus(value: unknown): value is Status {
  if (typeof value !== 'object' || value === null) return false
  // That of an older version may lack what came later.
  return 'system_name' in value && 'quota_per_unit' in value && 'chats' in value && Array.isArray(value.chats)
}
