import { Box, Text } from 'ink'
import { useCallback, useRef } from 'react'
import { ROLE } from '../../../core/actor.ts'
import { TROUBLE_COLUMNS, troublesOf } from '../../columns/channel-health.ts'
import { LOG_COLUMNS } from '../../columns/log.ts'
import { bindKey, type KeyBinding, runBinding } from '../bindings.ts'
import { Figures } from '../figures.tsx'
import { Frame, useBody } from '../frame.tsx'
import { LAYER, useKeys } from '../keys.tsx'
import { Rows } from '../rows.tsx'
import { useUi } from '../ui-context.ts'
import { useLoaded } from '../use-loaded.ts'

const HISTORY_MAX = 200

const BARS = '▁▂▃▄▅▆▇█'

const NEWEST = 50
const TROUBLES_MAX = 4
/**
 * Number of lines with the figures and the sparkline. `roomy`: with blank lines, for high screens. `close`: without
 * blank lines.
 */
const LINES_ABOVE = { roomy: 6, close: 3 }
/** Minimum height of a screen with blank lines. */
const ROOMY = 14
/** Number of lines besides the troubles: the title, and the line with the number of further troubles. */
const TROUBLE_LINES = 2
const LOG_LINES_MIN = 3

/** Screen with the current rates, spend, balance, channel problems, and the newest log rows. */
export function OverviewScreen() {
  const { toolkit, actor, t, intervals, digits } = useUi()
  const { width, height } = useBody()
  const admin = actor.role >= ROLE.admin

  const loadTraffic = useCallback(async () => {
    const [stat, logs] = await Promise.all([
      toolkit.logs.stat(actor, { start_timestamp: midnight() }),
      toolkit.logs.list(actor, { page: 1, pageSize: NEWEST }),
    ])
    return { stat, logs: logs.items }
  }, [toolkit, actor])
  const loadAccount = useCallback(async () => {
    const [user, channels, health] = await Promise.all([
      toolkit.accounts.get(actor, actor.id),
      admin ? toolkit.channels.list(actor, { page: 1, pageSize: 1 }) : undefined,
      admin ? toolkit.channels.health(actor) : undefined,
    ])
    return { balance: user.quota, channels: channels?.total ?? 0, health }
  }, [toolkit, actor, admin])
  const traffic = useLoaded(loadTraffic, { everyMs: intervals.several })
  const account = useLoaded(loadAccount, { everyMs: intervals.rare })
  const rates = useHistory(traffic.data, ({ stat }) => stat.rpm)

  const bindings: readonly KeyBinding[] = [
    bindKey('r', t('ui.reload'), () => {
      traffic.reload()
      account.reload()
    }),
    { keys: [], shown: digits, label: t('ui.switchScreens'), run: () => {} },
  ]
  useKeys(LAYER.screen, (press) => runBinding(bindings, press))

  const troubles = account.data?.health ? troublesOf(account.data.health) : []
  const roomy = height >= ROOMY
  const below = height - (roomy ? LINES_ABOVE.roomy : LINES_ABOVE.close)
  const listed = troubles.slice(0, Math.max(0, Math.min(TROUBLES_MAX, below - TROUBLE_LINES - LOG_LINES_MIN)))
  const troubleLines = listed.length > 0 ? listed.length + TROUBLE_LINES : 0
  const logLines = Math.max(2, below - troubleLines)
  return (
    <Frame title={t('ui.overview')} bindings={bindings} error={traffic.error ?? account.error}>
      {roomy && <Text> </Text>}
      <Figures stat={traffic.data?.stat} account={account.data} width={width} />
      <Text wrap="truncate-end">
        <Text dimColor>{` ${t('ui.requestsAMinute')} `}</Text>
        {sparkline(rates, Math.max(10, Math.min(60, width - 30)))}
      </Text>
      {roomy && <Text> </Text>}
      {listed.length > 0 && (
        <Box flexDirection="column" flexShrink={0}>
          <Rows rows={listed} columns={TROUBLE_COLUMNS} height={listed.length + 1} width={width} />
          <Text dimColor>
            {troubles.length > listed.length ? ` ${t('ui.andMore', { count: troubles.length - listed.length })}` : ' '}
          </Text>
        </Box>
      )}
      {traffic.data && traffic.data.logs.length === 0 ? (
        <Text dimColor>{` ${t('ui.noLogRows')}`}</Text>
      ) : (
        <Rows rows={traffic.data?.logs ?? []} columns={LOG_COLUMNS} height={logLines} width={width} />
      )}
    </Frame>
  )
}

/** Returns the start of the local day in unix seconds. */
function midnight(): number {
  return Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
}

/** Returns the newest `width` numbers as bars, scaled to the highest number. Dots fill the rest of the width. */
function sparkline(numbers: readonly number[], width: number): string {
  const newest = numbers.slice(-width)
  const highest = Math.max(1, ...newest)
  const bars = newest.map((number) => BARS[Math.round((number / highest) * (BARS.length - 1))])
  return '·'.repeat(width - newest.length) + bars.join('')
}

/** Returns `numberIn` of each of the last 200 replies, oldest first. */
function useHistory<T>(answer: T | undefined, numberIn: (answer: T) => number): readonly number[] {
  const history = useRef<{ last: T | undefined; numbers: number[] }>({ last: undefined, numbers: [] })
  if (answer !== undefined && answer !== history.current.last) {
    history.current = { last: answer, numbers: [...history.current.numbers, numberIn(answer)].slice(-HISTORY_MAX) }
  }
  return history.current.numbers
}
