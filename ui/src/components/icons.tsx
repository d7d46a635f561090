/**
 * Icons are decorative: text next to them says the same. They have the color of the text and grow with it; `size` is in pixels
 * at a text size of 16 pixels.
 */
function Icon({ d, size = 20 }: { d: string; size?: number }) {
  return (
    <svg
      className="icon"
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={d} fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

export const ArrowLeft = () => <Icon size={18} d="M19 12H5m6-6-6 6 6 6" />;
export const ChevronLeft = () => <Icon size={18} d="m15 6-6 6 6 6" />;
export const ChevronRight = () => <Icon size={18} d="m9 6 6 6-6 6" />;
export const ChevronDown = () => <Icon size={18} d="m6 9 6 6 6-6" />;
export const Check = () => <Icon size={16} d="m5 12.5 4.5 4.5L19 7.5" />;
export const Cross = () => <Icon size={16} d="M6 6l12 12M18 6 6 18" />;
export const Eye = () => (
  <Icon d="M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12Zm10 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z" />
);
export const EyeOff = () => (
  <Icon d="M3 3l18 18M10.6 5.1A10 10 0 0 1 12 5c6.5 0 10 7 10 7a17 17 0 0 1-3.2 4M6.5 6.5C3.6 8.4 2 12 2 12s3.5 7 10 7c1.9 0 3.5-.5 4.9-1.3M9.9 9.9a3 3 0 0 0 4.2 4.2" />
);
export const Plus = () => <Icon d="M12 5v14M5 12h14" />;
export const Search = () => <Icon size={18} d="m20 20-4.3-4.3M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z" />;
export const Folder = () => (
  <Icon size={18} d="M3 7a2 2 0 0 1 2-2h4l2 2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2Z" />
);
export const Calendar = () => (
  <Icon d="M7 3v3m10-3v3M4 9h16M5 5h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z" />
);
export const External = () => (
  <Icon size={18} d="M14 5h5v5m0-5-8 8m-2-6H6a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1v-3" />
);
export const Lock = () => (
  <Icon
    size={16}
    d="M7 11V8a5 5 0 0 1 10 0v3m-11 0h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1Z"
  />
);
export const File = () => (
  <Icon size={18} d="M14 3H7a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V7Zm0 0v4h4M9 13h6m-6 4h4" />
);
export const Warning = () => (
  <Icon d="M12 9v4m0 3.5v.01M10.3 4 2.5 17.5A2 2 0 0 0 4.2 20.5h15.6a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z" />
);
export const Info = () => <Icon d="M12 11v5m0-8.5v.01M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z" />;
export const CheckCircle = () => <Icon d="m8.5 12.2 2.5 2.5 4.5-5M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z" />;
