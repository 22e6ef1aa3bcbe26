import Select, { type SelectProps } from '@arco-design/web-react/es/Select'
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface'
import { useEffect, useRef } from 'react'

/**
 * A select for several values, which sets the label also on the input. Arco sets the label only on its outer element.
 * The input's name would be the placeholder, which disappears with the first value.
 */
export function TagSelect(props: Omit<SelectProps, 'mode'> & { 'aria-label'?: string }) {
  const select = useRef<SelectHandle>(null)
  const label = props['aria-label']
  useEffect(() => {
    const input = select.current?.dom?.querySelector('input')
    if (input && label) input.setAttribute('aria-label', label)
  })
  return <Select {...props} ref={select} mode="multiple" />
}
