title "My model
coord x
kinetic x'^2
