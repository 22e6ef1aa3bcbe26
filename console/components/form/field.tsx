import Form, { type FormItemProps } from '@arco-design/web-react/es/Form'
import { cloneElement, isValidElement, type ReactElement } from 'react'

interface Props extends Omit<FormItemProps, 'children' | 'label'> {
  label: string
  children: ReactElement<{ 'aria-label'?: string }>
}

/** A form field whose control gets the label as its accessible name. Arco does this only for native inputs. */
export function Field({ label, children, ...itemProps }: Props) {
  return (
    <Form.Item label={label} {...itemProps}>
      {isValidElement(children) ? cloneElement(children, { 'aria-label': label }) : children}
    </Form.Item>
  )
}
