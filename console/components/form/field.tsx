import Form, { type FormItemProps } from '@arco-design/web-react/es/Form'
import { cloneElement, isValidElement, type ReactElement } from 'react'

interface Props extends Omit<FormItemProps, 'children' | 'label'> {
  label: string
  children: ReactElement<{ 'aria-label'?: string }>
}

/** A labelled field of a form. Arco's own label names native inputs alone; this one names selects and the rest as well. */
export function Field({ label, children, ...rest }: Props) {
  return (
    <Form.Item label={label} {...rest}>
      {isValidElement(children) ? cloneElement(children, { 'aria-label': label }) : children}
    </Form.Item>
  )
}
