import { Box, Text } from 'ink'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import type { ChannelsHealth } from '../../core/channels/health/schema.ts'
import type { LogStat } from '../../core/logs/schema.ts'
import type { Tone } from '../output/column.ts'
import { displayWidth } from '../output/display-width.ts'
import { paint, useUi } from './ui-context.ts'

interface AccountState {
  balance: number
  channels: number
  /** Undefined for users who are not administrators. */
  health: ChannelsHealth | undefined
}

interface FigureEntry {
  label: string
  /** Label for narrow terminals. */
  short: string
  value: string
  tone?: Tone | undefined
  /** Priority if not all figures fit; 0 is the highest. */
  rank: number
}

const GAP = 2

/** The numbers of the overview. Shows dashes while the numbers are loading. */
export function Figures({
  stat,
  account,
  width,
}: {
  stat: LogStat | undefined
  account: AccountState | undefined
  width: number
}) {
  const { t, format } = useUi()
  const textOrDash = (value: number | undefined, write: (value: number) => string = String) =>
    value === undefined ? '–' : write(value)
  const mainFigures: readonly FigureEntry[] = [
    { label: t('ui.requestsMin'), short: t('ui.reqMin'), value: textOrDash(stat?.rpm), rank: 0 },
    { label: t('ui.tokensMin'), short: t('ui.tokMin'), value: textOrDash(stat?.tpm), rank: 3 },
    { label: t('ui.spentToday'), short: t('ui.today'), value: textOrDash(stat?.quota, format.quota), rank: 1 },
    {
      label: t('watching.balance'),
      short: t('watching.balance'),
      value: textOrDash(account?.balance, format.quota),
      rank: 2,
    },
  ]
  return (
    <Box flexDirection="column" width={width} flexShrink={0}>
      <FigureLine figures={mainFigures} width={width} />
      {account?.health && <ChannelFigures total={account.channels} health={account.health} width={width} />}
    </Box>
  )
}

function ChannelFigures(props: { total: number; health: ChannelsHealth; width: number }) {
  const {
    total,
    health: { disabled, circuits },
    width,
  } = props
  const { t } = useUi()
  const automatic = disabled.filter(({ status }) => status === CHANNEL_STATUS.autoDisabled).length
  const openCircuits = new Set(circuits.map(({ channel_id }) => channel_id)).size
  const enabled = total - disabled.length
  const bad = (count: number) => (count > 0 ? 'bad' : undefined)
  const figures: readonly FigureEntry[] = [
    {
      label: t('ui.channelsEnabled'),
      short: t('label.channels'),
      value: String(enabled),
      tone: enabled > 0 ? 'good' : 'bad',
      rank: 0,
    },
    { label: t('label.disabled'), short: t('label.disabled'), value: String(disabled.length - automatic), rank: 3 },
    {
      label: t('ui.disabledAutomatically'),
      short: t('label.auto-disabled'),
      value: String(automatic),
      tone: bad(automatic),
      rank: 1,
    },
    {
      label: t('ui.circuitsOpen'),
      short: t('ui.circuits'),
      value: String(openCircuits),
      tone: bad(openCircuits),
      rank: 2,
    },
  ]
  return <FigureLine figures={figures} width={width} />
}

/** Shows as many figures as fit: first shortens labels, then omits figures by rank. Never truncates a value. */
function FigureLine({ figures, width }: { figures: readonly FigureEntry[]; width: number }) {
  const { color } = useUi()
  const widthOf = (some: readonly FigureEntry[]) =>
    some.reduce((sum, { label, value }) => sum + displayWidth(` ${label} ${value}`) + GAP, -GAP)
  const shortFigures = figures.map((figure) => ({ ...figure, label: figure.short }))
  const upToRank = (rank: number) => shortFigures.filter((figure) => figure.rank <= rank)
  const choices = [figures, shortFigures, upToRank(2), upToRank(1), upToRank(0)]
  const fitting = choices.find((some) => widthOf(some) <= width) ?? upToRank(0)
  return (
    <Text wrap="truncate-end">
      {fitting.map(({ label, value, tone }, at) => (
        <Text key={label}>
          <Text dimColor>{`${at > 0 ? ' '.repeat(GAP) : ''} ${label} `}</Text>
          <Text bold {...paint(tone, color)}>
            {value}
          </Text>
        </Text>
      ))}
    </Text>
  )
}
