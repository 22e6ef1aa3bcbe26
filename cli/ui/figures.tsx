import { Box, Text } from 'ink'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import type { ChannelsHealth } from '../../core/channels/health/schema.ts'
import type { LogStat } from '../../core/logs/schema.ts'
import type { Tone } from '../column.ts'
import { paint, useDesk } from './desk.ts'

interface Standing {
  balance: number
  channels: number
  /** For administrators. */
  health: ChannelsHealth | undefined
}

/** The numbers of the overview: what is not known yet is a dash. */
export function Figures({
  stat,
  standing,
  width,
}: {
  stat: LogStat | undefined
  standing: Standing | undefined
  width: number
}) {
  const { text, format } = useDesk()
  const known = (value: number | undefined, write: (value: number) => string = String) =>
    value === undefined ? '–' : write(value)
  return (
    <Box flexDirection="column" width={width}>
      <Box>
        <Figure label={text('requests/min')} value={known(stat?.rpm)} />
        <Figure label={text('tokens/min')} value={known(stat?.tpm)} />
        <Figure label={text('spent today')} value={known(stat?.quota, format.quota)} />
        <Figure label={text('balance')} value={known(standing?.balance, format.quota)} />
      </Box>
      {standing?.health && <ChannelFigures total={standing.channels} health={standing.health} />}
    </Box>
  )
}

function ChannelFigures({ total, health: { disabled, circuits } }: { total: number; health: ChannelsHealth }) {
  const { text } = useDesk()
  const automatic = disabled.filter(({ status }) => status === CHANNEL_STATUS.autoDisabled).length
  const sick = new Set(circuits.map(({ channel_id }) => channel_id)).size
  return (
    <Box>
      <Figure
        label={text('channels enabled')}
        value={String(total - disabled.length)}
        tone={total > disabled.length ? 'good' : 'bad'}
      />
      <Figure label={text('disabled')} value={String(disabled.length - automatic)} />
      <Figure label={text('disabled automatically')} value={String(automatic)} tone={automatic ? 'bad' : undefined} />
      <Figure label={text('circuits open')} value={String(sick)} tone={sick ? 'bad' : undefined} />
    </Box>
  )
}

function Figure({ label, value, tone }: { label: string; value: string; tone?: Tone | undefined }) {
  const { color } = useDesk()
  return (
    <Box marginRight={2}>
      <Text wrap="truncate-end">
        <Text dimColor>{` ${label} `}</Text>
        <Text bold {...paint(tone, color)}>
          {value}
        </Text>
      </Text>
    </Box>
  )
}
