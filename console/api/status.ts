import { useQuery } from '@tanstack/react-query'
import { isRecord } from '../records.ts'
import { readStored, writeStatusText, writeStored } from '../storage.ts'
import type { Data } from './calls.ts'
import { call } from './client.ts'

/** Public data of the platform, such as its name, version and enabled features. */
export type Status = Data<'GET /api/status'>

export const STATUS_KEY = 'status'

/** Status fields that this browser also stores under their own names, for other pages and operators' scripts. */
const SEPARATE_TEXTS = [
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
export type StatusField = (typeof SEPARATE_TEXTS)[number]

/** The status that the gateway has embedded in the page. Undefined on pages of the development server. */
const embedded = readEmbedded()

/**
 * Returns the platform's status. Until the server replies, returns the status embedded in the page, or that of the last
 * visit. This avoids flicker.
 */
export function useStatus() {
  return useQuery({
    queryKey: [STATUS_KEY],
    queryFn: async ({ signal }) => {
      const status = await call('GET /api/status', { signal })
      storeStatus(status)
      return status
    },
    initialData: () => embedded ?? readStored('status', isStatus),
    initialDataUpdatedAt: embedded ? performance.timeOrigin : 0,
    staleTime: 60_000,
  })
}

/** Returns the quota for one dollar; until the status is loaded, the default. */
export const useQuotaPerUnit = (): number => useStatus().data?.quota_per_unit ?? 500_000

function readEmbedded(): Status | undefined {
  // Outside a browser, there is no document.
  const text = globalThis.document?.getElementById('status')?.textContent
  if (!text) return undefined
  const value: unknown = JSON.parse(text)
  if (!isStatus(value)) return undefined
  storeStatus(value)
  return value
}

function storeStatus(status: Status): void {
  writeStored('status', status)
  for (const field of SEPARATE_TEXTS) {
    const value = status[field]
    writeStatusText(field, typeof value === 'string' ? value : JSON.stringify(value))
  }
}

function isStatus(value: unknown): value is Status {
  // A status stored by an older version may lack newer fields.
  return isRecord(value) && 'system_name' in value && 'quota_per_unit' in value && Array.isArray(value.chats)
}
