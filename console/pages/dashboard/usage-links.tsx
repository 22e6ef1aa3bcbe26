import { memo } from 'react'
import { useNarrow } from '../../layout/narrow.ts'
import { Link } from '../../router/link.tsx'
import { niceTop } from './figure-texts.ts'
import './usage-links.css'

interface Stack {
  key: number
  /** Label of the bar's hour, day or week. */
  time: string
  /** Path of the log page for the bar. */
  to: string
  parts: { name: string; color: string; value: number }[]
}

interface Props {
  stacks: readonly Stack[]
  /** The chart's content as text, for screen readers. */
  label: string
  format: (value: number) => string
  axisFormat: (value: number) => string
}

/** Maximum number of labels that fit below the bars. */
const LABELS_MAX = { wide: 8, narrow: 4 } as const
const LINES = 4

/**
 * Stacked bars, each of which is a link to its log rows. The bars are HTML elements, because a chart library draws to a
 * canvas, which cannot contain links. Keyboard users have the same links in the time table.
 */
export const UsageLinks = memo(function UsageLinks({ stacks, label, format, axisFormat }: Props) {
  const sums = stacks.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const top = niceTop(Math.max(0, ...sums))
  const narrow = useNarrow()
  const labelStep = Math.max(1, Math.ceil(stacks.length / (narrow ? LABELS_MAX.narrow : LABELS_MAX.wide)))
  // Omits labels that are too close to the end.
  const isLabelled = (index: number) =>
    index % labelStep === 0 && (labelStep === 1 || stacks.length - index > labelStep / 2)
  return (
    <figure className="usage-links" aria-label={label}>
      <div className="usage-links-axis" aria-hidden="true">
        {Array.from({ length: LINES + 1 }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the line's position
          <span key={line} style={{ bottom: `${(line / LINES) * 100}%` }}>
            {axisFormat((top / LINES) * line)}
          </span>
        ))}
      </div>
      <div className="usage-links-plot">
        {stacks.map(({ key, time, to, parts }, index) => (
          <Link
            key={key}
            to={to}
            tabIndex={-1}
            className="usage-stack"
            title={tip(time, parts, sums[index] ?? 0, format)}
          >
            <span className="usage-stack-bar" style={{ height: `${top ? ((sums[index] ?? 0) / top) * 100 : 0}%` }}>
              {parts.map(({ name, color, value }) => (
                <span key={name} style={{ flexGrow: value, background: color }} />
              ))}
            </span>
            {isLabelled(index) && <span className="usage-stack-time">{time}</span>}
          </Link>
        ))}
      </div>
    </figure>
  )
})

/** Returns the tooltip of a bar: the time, the sum, then the parts from largest to smallest. */
function tip(time: string, parts: Stack['parts'], sum: number, format: Props['format']): string {
  const lines = parts
    .filter(({ value }) => value > 0)
    .sort((a, b) => b.value - a.value)
    .map(({ name, value }) => `${name}: ${format(value)}`)
  return [time, `Σ ${format(sum)}`, ...lines].join('\n')
}
