import Tag from '@arco-design/web-react/es/Tag'
import Tooltip from '@arco-design/web-react/es/Tooltip'

export interface BadgeStyle {
  text: string
  /** The name of one of Arco's tag colors, or `yellow`. */
  color: string
}

/** Returns the name of a number, such as `enabled` for a status; undefined if the number has no name. */
export function nameOf<Name extends string>(numbers: Readonly<Record<Name, number>>, value: number): Name | undefined {
  return (Object.keys(numbers) as Name[]).find((name) => numbers[name] === value)
}

/** A state as a colored tag, or without `color` as plain text. The tooltip with `hint` opens on hover and focus. */
export function StatusTag({
  text,
  color,
  hint,
}: Omit<BadgeStyle, 'color'> & { color?: string; hint?: string | undefined }) {
  // Arco's tags support all colors of its palette except yellow.
  const style =
    color === 'yellow'
      ? { className: 'status-tag arco-tag-yellow' }
      : { ...(color && { color }), className: 'status-tag' }
  const tag =
    color === undefined ? (
      <span className="number">{text}</span>
    ) : (
      <Tag {...style} size="small">
        {text}
      </Tag>
    )
  if (!hint) return tag
  return (
    <Tooltip content={hint}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to open the tooltip */}
      <span tabIndex={0} aria-label={`${text}: ${hint}`} role="note">
        {tag}
      </span>
    </Tooltip>
  )
}
