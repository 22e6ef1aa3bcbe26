import Button from '@arco-design/web-react/es/Button'

interface Props {
  name: string
  /** The accessible name of the button. */
  label: string
  onCopy: (text: string) => void
}

/** A name in a row, which a click copies. Renders nothing for an empty name. */
export function CopiedName({ name, label, onCopy }: Props) {
  if (!name) return null
  return (
    <Button size="mini" className="log-copy" aria-label={label} onClick={() => onCopy(name)}>
      {name}
    </Button>
  )
}
