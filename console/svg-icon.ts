import { IconContext } from '@arco-design/web-react/icon/react-icon/context.js'
import { createElement, forwardRef, type ReactNode, type SVGAttributes, useContext } from 'react'

interface IconProps extends SVGAttributes<SVGSVGElement> {
  spin?: boolean
  isIcon?: boolean
}

/** Returns a component that behaves like an Arco icon. The build extracts the name, attributes and shapes from Arco. */
export function svgIcon(
  name: string,
  className: string,
  attributes: SVGAttributes<SVGSVGElement>,
  ...nodes: ReactNode[]
) {
  const Icon = forwardRef<SVGSVGElement, IconProps>(({ spin, isIcon: _, className: extraClass, ...props }, ref) => {
    const { prefixCls = 'arco' } = useContext(IconContext)
    const classes = [
      extraClass,
      `${prefixCls}-icon`,
      `${prefixCls}-icon-${className}`,
      spin && `${prefixCls}-icon-loading`,
    ]
    return createElement(
      'svg',
      {
        ...attributes,
        'aria-hidden': true,
        focusable: false,
        ref,
        ...props,
        className: classes.filter(Boolean).join(' '),
      },
      ...nodes,
    )
  })
  Icon.displayName = name
  return Icon
}
