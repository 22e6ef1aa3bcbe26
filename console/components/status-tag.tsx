import Tag from '@arco-design/web-react/es/Tag'
import Tooltip from '@arco-design/web-react/es/Tooltip'

export interface TagLook {
  text: string
  /** One of Arco's colours, or yellow. */
  color: string
}

/** A state as a coloured tag; what is to say about it shows when it is pointed at, or has the focus. */
export function StatusTag({ text, color, hint }: TagLook & { hint?: string | undefined }) {
  // Arco's tags know all colours of its palette but this one.
  const look = color === 'yellow' ? { className: 'status-tag arco-tag-yellow' } : { color, className: 'status-tag' }
  const tag = (
    <Tag {...look} size="small">
      {text}
    </Tag>
  )
  if (!hint) return tag
  return (
    <Tooltip content={hint}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what pointing tells, the keyboard must get at too */}
      <span tabIndex={0} aria-label={`${text}: ${hint}`} role="note">
        {tag}
      </span>
    </Tooltip>
  )
}
