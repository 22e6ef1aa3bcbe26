import type { FastifyRequest, preSerializationAsyncHookHandler } from 'fastify'
import type { Log } from '../../core/logs/log.ts'
import { quotaDisplay } from '../../core/logs/quota-display.ts'
import { translateRemarks } from '../../core/logs/remarks.ts'
import type { Options } from '../../core/options/options.ts'
import { isRecord } from '../../core/records.ts'
import { apiLanguageOf } from './envelope.ts'

/**
 * Returns a hook that translates the remarks in log rows into the reader's language. The reply may be a row, a list, a
 * page, a dashboard, a receipt or a trace with a receipt.
 */
export function readableLogs(options: Options): preSerializationAsyncHookHandler {
  return async (request, _reply, payload) => {
    if (!isRecord(payload)) return payload
    const translateLog = remarkTranslator(options, request)
    const translate = (value: unknown) => (isLog(value) ? translateLog(value) : value)
    const { data } = payload
    if (Array.isArray(data)) return { ...payload, data: data.map(translate) }
    if (!isRecord(data)) return payload
    for (const name of ['items', 'newest'] as const) {
      const rows = data[name]
      if (Array.isArray(rows)) return { ...payload, data: { ...data, [name]: rows.map(translate) } }
    }
    if (isLog(data)) return { ...payload, data: translate(data) }
    if (isLog(data.log)) return { ...payload, data: { ...data, log: translate(data.log) } }
    const { receipt } = data
    if (!isRecord(receipt) || !isLog(receipt.log)) return payload
    return { ...payload, data: { ...data, receipt: { ...receipt, log: translate(receipt.log) } } }
  }
}

/** Returns a function that translates the remarks in a log row into the reader's language. */
export function remarkTranslator(options: Options, request: FastifyRequest): (log: Log) => Log {
  const language = apiLanguageOf(request)
  const display = quotaDisplay(options)
  return (log) => translateRemarks(log, language, display)
}

const isLog = (value: unknown): value is Log =>
  isRecord(value) && typeof value.content === 'string' && typeof value.other === 'string' && 'token_name' in value
