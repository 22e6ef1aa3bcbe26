import { GatewayError } from '../../../core/errors.ts'
import { LOG_TYPE } from '../../../core/logs/log.ts'
import type { Cli } from '../../cli.ts'
import type { Format } from '../../output/format.ts'
import { sanitizeName } from '../../output/sanitize.ts'
import { verb } from '../../run/verbs.ts'
import type { TextId, TextRef } from '../../texts.ts'
import { attemptText, traceOf } from '../../trace.ts'

const FIELD_WIDTH = 14
/** Maximum number of rows to load. A request has at most one row for its charge and one for its failure. */
const ROWS_MAX = 10

export const logTrace = verb({
  name: 'trace',
  description: 'log.explainOneRequest',
  examples: ['tollgate log trace 20261124093015a1b2c3d4e50000000042'],
  syntax: (command) => command.argument('<request-id>', 'log.requestId'),
  async run({ cli, toolkit, actor }, requestId: string) {
    const { items } = await toolkit.logs.list(actor, { request_id: requestId, page: 1, pageSize: ROWS_MAX })
    const failure = items.find(({ type }) => type === LOG_TYPE.error)
    const charge = items.find(({ type }) => type === LOG_TYPE.consumption)
    const row = failure ?? charge
    if (!row) throw new GatewayError('LOG_NOT_FOUND', { id: requestId, request: requestId })
    if (cli.json) return cli.writeJson(traceOf(row, { failure, charge }))
    const format = await cli.format()
    for (const line of lines(cli, traceOf(row, { failure, charge }), format)) cli.write(line)
  },
})

function* lines(
  { t, textOf }: Cli,
  trace: ReturnType<typeof traceOf>,
  { moment, quota, color }: Format,
): Generator<string> {
  const field = (title: TextId | TextRef, value: string) => {
    const name = typeof title === 'string' ? t(title) : textOf(title)
    return `${`${name}:`.padEnd(FIELD_WIDTH)} ${sanitizeName(value) || '-'}`
  }
  const { outcome, tries, channels, charge } = trace
  yield field('column.request', trace.request_id)
  yield field('column.time', moment(trace.created_at))
  yield field('column.user', trace.username)
  yield field('column.token', trace.token_name)
  yield field('column.model', trace.model_name)
  yield field('column.took', `${trace.use_time} s`)
  if (outcome === 'complete') yield field('column.result', color.green(t('log.complete')))
  else {
    yield field('column.result', color.red(`${trace.status} ${trace.code ?? ''}`))
    yield field('column.message', String(trace.message))
  }
  if (trace.upstream_request_id !== undefined) yield field('column.upstream-id', String(trace.upstream_request_id))
  for (const [at, attempt] of tries.entries()) {
    yield field({ id: 'log.try', values: { at: at + 1 } }, attemptText({ t }, attempt))
  }
  if (tries.length === 0 && channels.length > 0) yield field('column.channels', channels.join(' → '))
  if (charge) yield field('column.charged', `${quota(charge.quota)}  (tollgate log receipt ${charge.log_id})`)
  else yield field('column.charged', t('server.nothing'))
}
