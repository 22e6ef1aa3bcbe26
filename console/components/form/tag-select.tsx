import Select, { type SelectProps } from '@arco-design/web-react/es/Select'
import type { SelectHandle } from '@arco-design/web-react/es/Select/interface'
import { useEffect, useRef } from 'react'

/**
 * A select for several values. Arco sets the label only on its outer element. The input would have only the placeholder as its
 * name, and the placeholder disappears with the first value.
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
