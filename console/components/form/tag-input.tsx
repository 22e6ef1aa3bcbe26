import InputTag, { type InputTagProps } from '@arco-design/web-react/es/InputTag'
import { type AriaAttributes, useEffect, useRef } from 'react'

type AriaProps = Pick<AriaAttributes, 'aria-label' | 'aria-invalid' | 'aria-describedby'>

/** An input for a list of texts. Sets the label and error on the input; Arco sets them only on its outer element. */
export function TagInput({
  'aria-label': label,
  'aria-invalid': invalid,
  'aria-describedby': describedBy,
  ...props
}: InputTagProps<string> & AriaProps) {
  const holder = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const input = holder.current?.querySelector('input')
    const ariaProps = { 'aria-label': label, 'aria-invalid': invalid, 'aria-describedby': describedBy }
    for (const [name, value] of Object.entries(ariaProps)) {
      if (value === undefined) input?.removeAttribute(name)
      else input?.setAttribute(name, String(value))
    }
  }, [label, invalid, describedBy])
  return (
    <div ref={holder}>
      <InputTag {...props} />
    </div>
  )
}
