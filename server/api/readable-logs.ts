import type { preSerializationAsyncHookHandler } from 'fastify'
import type { Log } from '../../core/logs/log.ts'
import { quotaDisplay } from '../../core/logs/quota-display.ts'
import { translateRemarks } from '../../core/logs/remarks.ts'
import type { Options } from '../../core/options/options.ts'
import { isRecord } from '../../core/records.ts'
import { apiLanguageOf } from './envelope.ts'

/**
 * Returns a hook that translates the remarks in log rows into the reader's language. The reply may be a row, a list, a
 * page or a dashboard.
 */
export function readableLogs(options: Options): preSerializationAsyncHookHandler {
  return async (request, _reply, payload) => {
    if (!isRecord(payload)) return payload
    const language = apiLanguageOf(request)
    const display = quotaDisplay(options)
    const translate = (value: unknown) => (isLog(value) ? translateRemarks(value, language, display) : value)
    const { data } = payload
    if (Array.isArray(data)) return { ...payload, data: data.map(translate) }
    if (!isRecord(data)) return payload
    for (const name of ['items', 'newest'] as const) {
      const rows = data[name]
      if (Array.isArray(rows)) return { ...payload, data: { ...data, [name]: rows.map(translate) } }
    }
    return isLog(data) ? { ...payload, data: translate(data) } : payload
  }
}

const isLog = (value: unknown): value is Log =>
  isRecord(value) && typeof value.content === 'string' && typeof value.other === 'string' && 'token_name' in value
