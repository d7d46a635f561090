/**
 * Lets no heading of this page take the focus, as those of views do. A frame of the preview is loaded again after each change of the
 * form beside it: its user would be interrupted while typing.
 */
export function leaveFocus(): void {
  HTMLHeadingElement.prototype.focus = () => undefined;
}
