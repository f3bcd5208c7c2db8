; The installer for Windows, made by Inno Setup 6: installer/build.py calls it with Version and Bundle.
[Setup]
AppId={{6E0C1B53-6D2B-4A0C-9B1E-7B0F5A1C2D64}
AppName=Leitong 雷同
AppVersion={#Version}
DefaultDirName={autopf}\Leitong
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
CloseApplications=yes
UninstallDisplayIcon={app}\leitong.exe
Compression=lzma2
SolidCompression=yes

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"

[InstallDelete]
; an update leaves nothing of the version before
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Bundle}\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Leitong 雷同"; Filename: "{app}\leitong.exe"; Parameters: "desktop"

[Registry]
Root: HKA; Subkey: "Software\Classes\.leitong\OpenWithProgids"; ValueType: string; ValueName: "Leitong.Check"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Leitong.Check"; ValueType: string; ValueData: "Leitong check"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Leitong.Check\shell\open\command"; ValueType: string; ValueData: """{app}\leitong.exe"" desktop ""%1"""
; folders: a line in the menu of the right button
Root: HKA; Subkey: "Software\Classes\Directory\shell\Leitong"; ValueType: string; ValueData: "Leitong 雷同"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Directory\shell\Leitong\command"; ValueType: string; ValueData: """{app}\leitong.exe"" desktop ""%1"""

[Run]
Filename: "{app}\leitong.exe"; Parameters: "desktop"; Description: "Leitong 雷同"; Flags: postinstall nowait skipifsilent
